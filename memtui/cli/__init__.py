"""The command line: one verb a question or change, for people and with `--json` for scripts."""
