"""The grammar of the command line: common options anywhere, the first word that is a verb is the verb."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from typing import NoReturn

from memtui.cli import output
from memtui.core.errors import UsageError
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

WITH_VALUE = ("--home", "--cwd", "--store", "--owner")
"""Options that may stand before a verb and take the word behind them."""

HELP_WIDTH = 90


@dataclass(frozen=True, slots=True)
class Words:
    """A command line cut at its verb ('' = there is none): `arguments` are all the other words, in order."""

    verb: str
    arguments: tuple[str, ...]
    as_json: bool


def split(
    argv: Sequence[str], verbs: Collection[str], sub_verbs: Mapping[str, Collection[str]] | None = None
) -> Words:
    """Find the verb: the first word that is neither an option nor the value of one, if it names a verb.

    Of a verb with `sub_verbs` the next such word counts with it: `sessions rename`.
    """
    options = argv[: argv.index("--")] if "--" in argv else argv
    as_json = "--json" in options
    position = 0
    while position < len(options):
        word = options[position]
        if not word.startswith("-") or word == "-":
            if word in verbs:
                rest = (*argv[:position], *argv[position + 1 :])
                return _with_sub_verb(Words(word, rest, as_json), (sub_verbs or {}).get(word, ()))
            break
        position += 2 if word in WITH_VALUE else 1
    return Words("", tuple(argv), as_json)


def _with_sub_verb(words: Words, names: Collection[str]) -> Words:
    arguments = words.arguments
    word = first_word(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    if word not in names:
        return words
    position = arguments.index(word)
    return Words(f"{words.verb} {word}", (*arguments[:position], *arguments[position + 1 :]), words.as_json)


def first_word(arguments: Sequence[str]) -> str:
    """The first word that is neither an option nor the value of one, '' without any."""
    position = 0
    while position < len(arguments):
        word = arguments[position]
        if not word.startswith("-"):
            return word
        position += 2 if word in WITH_VALUE else 1
    return ""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help of one width: asking the terminal costs an import that every command would pay for."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=HELP_WIDTH)


class Parser(argparse.ArgumentParser):
    """A parser that raises UsageError instead of printing and exiting, and never guesses an option."""

    def __init__(self, *, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            add_help=False,
            formatter_class=_Formatter,
        )
        self.add_argument("-h", "--help", action="help", help=_("show this help and leave"))

    def _print_message(self, message: str, file: object = None) -> None:
        # help and version end like every answer when nobody reads them to the end
        output.print_lines(message.rstrip("\n").split("\n"))

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with what argparse found, and where to read more."""
        raise UsageError(_("{message}; see `{command} --help`").format(message=message, command=self.prog))


def add_common(parser: Parser) -> None:
    """The options that every verb understands, before and after it."""
    group = parser.add_argument_group(_("common options"))
    group.add_argument("--home", metavar="DIR", help=_("a directory that stands in for the home directory"))
    group.add_argument("--cwd", metavar="DIR", help=_("the project's directory, which need not exist"))
    group.add_argument("--store", metavar="ID", help=_("a store's id, or its owner where that is unique"))
    group.add_argument("--reveal", action="store_true", help=_("show keys, tokens and passwords unmasked"))
    group.add_argument("--json", action="store_true", help=_("answer with one JSON document"))


def add_dry_run(parser: Parser) -> None:
    """The option of every verb that changes something."""
    parser.add_argument("--dry-run", action="store_true", help=_("show what would change, write nothing"))


def add_change_options(parser: Parser, *, insists: bool = False) -> None:
    """`--dry-run` and `--take-over-lock`; with `insists` also `--insist`, where a text is written."""
    add_dry_run(parser)
    if insists:
        parser.add_argument(
            "--insist", action="store_true", help=_("write it although the owner's scanner will block it")
        )
    parser.add_argument(
        "--take-over-lock", action="store_true", help=_("take over an owner's lock that was left behind")
    )
