"""Python runs this at its start when this folder is on PYTHONPATH: children of tests are watched too."""

import write_guard

if (guard := write_guard.guard_from_environment()) is not None:
    write_guard.install(guard)
