"""The kinds of edits that a person can ask of a memory: the same for every layout, which may refuse one."""

from __future__ import annotations

from typing import Literal

from memtui.late.dataclasses import dataclass

FieldName = Literal["title", "description", "type", "hook"]

How = Literal[
    "normalise",
    "split-headings",
    "lf",
    "final-newline",
    "lift",
    "close",
    "one-key",
    "quote",
    "quote-comment",
    "describe",
    "visible",
]
"""A way to bring a file into a form that its owner reads whole; see `Reshape`."""


@dataclass(frozen=True, slots=True)
class Original:
    """The file that a memory is in another store of the same layout: relative path, bytes, permission bits."""

    path: str
    data: bytes
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class Add:
    """A new memory. `type` empty = the layout's default; `hook` None = derived from the description.

    `insists`: it shall stand although the owner's scanner will keep it from the agent. `original`: a layout of
    one memory a file takes those bytes as they are, and that name where it is free, instead of making a file
    of the other fields; its index gets title, hook and description. `also` are more of that kind, added with
    it in one go.
    """

    title: str
    description: str = ""
    type: str = ""
    body: str = ""
    hook: str | None = None
    topic: str | None = None
    group: str = ""
    insists: bool = False
    original: Original | None = None
    also: tuple[Add, ...] = ()


@dataclass(frozen=True, slots=True)
class Remove:
    """A memory with its index lines, or (with `line`) one line of the index only, 1-based.

    `heir` is the id of a memory of the same store that holds its text from now on ('' = none does): what names
    the one that goes names the heir then, and where no index line does, one of those that would go.
    """

    memory_id: str
    line: int | None = None
    heir: str = ""


@dataclass(frozen=True, slots=True)
class SetField:
    """One field of a memory, one line of text; `insists` as that of `Add`."""

    memory_id: str
    field: FieldName
    value: str
    insists: bool = False


@dataclass(frozen=True, slots=True)
class SetText:
    """The text of a memory, or its body only; `base` is what the person saw when they began to edit.

    What others changed since then is merged; where both changed one line it is a conflict, unless `insists`:
    then this text's line stands. With `insists` it also stands although the owner's scanner will keep it from
    the agent.
    """

    memory_id: str
    text: bytes
    part: Literal["text", "body"] = "text"
    base: bytes | None = None
    insists: bool = False


@dataclass(frozen=True, slots=True)
class SetIndex:
    """The whole text of the index file; `base` and `insists` as those of `SetText`."""

    text: bytes
    base: bytes | None = None
    insists: bool = False


@dataclass(frozen=True, slots=True)
class Rename:
    """A memory's own name (its file's stem or its heading)."""

    memory_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """A memory at another position of its group, counted from 1."""

    memory_id: str
    position: int


@dataclass(frozen=True, slots=True)
class Regroup:
    """A memory in another group of its store: another file of a pair, another topic."""

    memory_id: str
    group: str


@dataclass(frozen=True, slots=True)
class Reshape:
    """A file in the form that its owner reads whole again; `how` is a way that the layout offers.

    `normalise`: the owner's own spelling of the same memories. `split-headings`: one memory for each heading.
    `lf`: line ends as the owner reads them. `final-newline`: a line end at the end. Of a frontmatter: `lift`
    it to the first line with bare fences, `close` it, `one-key` for one that is there twice (the last one
    wins), `quote` the values that a strict reader rejects or alters, `quote-comment` those that it cuts at a
    `#`, `describe` the memory as its index line does. `visible`: without the characters that nobody sees.
    An edit of the file's bytes alone: it needs no newer scan of the store than these.
    """

    path: str
    how: How


@dataclass(frozen=True, slots=True)
class Relist:
    """Lines of the index put right, all at once; files are named by their relative paths.

    `drops`: so many lines (file, number from 1) go, or only the link where the line says more. `adds`: these
    files get a line in the index's own style; the index is made when there is none. `derives`: the line of
    these files says again what its owner makes of the file. `shows`: these lines lose the characters that
    nobody sees.
    """

    drops: tuple[tuple[str, int], ...] = ()
    adds: tuple[str, ...] = ()
    derives: tuple[str, ...] = ()
    shows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Discard:
    """Backups, second versions and half-written files beside the memories, by their relative paths."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Redact:
    """Secrets taken out of a file (by its relative path) and of the index, the same for every layout.

    `secrets` are the SHA-256 digests of their UTF-8 bytes, () = all that are found in the file: each goes
    wherever it stands in the two files, whatever else changed there meanwhile.
    """

    path: str
    secrets: tuple[str, ...] = ()


Edit = (
    Add
    | Remove
    | SetField
    | SetText
    | SetIndex
    | Rename
    | Place
    | Regroup
    | Reshape
    | Relist
    | Discard
    | Redact
)
