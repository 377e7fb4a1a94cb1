"""The list of sessions: titles, times, order, counts, what pi leaves out, and the cache behind it."""

import json
import os
import stat
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from session_corpus import START, Writer, header, iso, line, ms, put

from memtui.core import fs
from memtui.core.sessions import listing, quick
from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import count_sessions, list_sessions, newest_first, unread_sessions
from memtui.core.sessions.pi_places import pi_places
from memtui.core.sessions.tally import count
from memtui.core.sessions.transcript import Transcript


@pytest.fixture
def root(home):
    """The directory of one project's sessions."""
    return home / "agent" / "sessions" / "--home-dev-app--"


def quickly(home, cache=None):
    """Rows by file stem, before anything was counted."""
    places = pi_places(home / "agent", home, home)
    return {session.file.stem: session for session in list_sessions(places, cache or SessionCache(None))}


def counted(home, cache=None):
    """Rows by file stem, with their counts."""
    cache = cache or SessionCache(None)
    sessions = quickly(home, cache)
    return sessions | {session.file.stem: session for session in count_sessions(sessions.values(), cache)}


def filler(session, size_bytes):
    """Tool output up to a size."""
    while len(session.data) < size_bytes:
        session.tool("y" * 900)


def test_s07_a_header_that_is_not_first_is_listed_and_marked(home, root):
    session = Writer("/home/dev/app", "the-id")
    session.user("hello")
    put(root / "s.jsonl", line({"type": "title", "v": 1, "title": "t"}) + bytes(session.data))
    row = quickly(home)["s"]
    assert (row.id, row.cwd, row.title) == ("the-id", "/home/dev/app", "hello")
    assert not row.pi_lists
    assert not row.pi_opens
    assert "not the first line" in row.hidden_because


def test_s10_the_last_name_wins(home, root):
    session = Writer()
    session.user("hi")
    session.entry("session_info", name="first")
    for number in range(9000):
        session.tool("z" * 400)
        if number == 8900:
            session.entry("session_info", name="second")
    filler(session, len(session.data) + 400_000)
    session.save(root / "s.jsonl")
    assert counted(home)["s"].title == "second"
    session.entry("session_info", name="third")
    session.save(root / "s.jsonl")
    assert quickly(home)["s"].title == "third"
    session.entry("session_info", name="")
    session.save(root / "s.jsonl")
    assert quickly(home)["s"].title == "hi"


@pytest.mark.parametrize("size_bytes", [0, 200_000, 3_000_000])
def test_s11_a_first_prompt_far_down_is_the_title(home, root, size_bytes):
    session = Writer()
    for number in range(450):
        session.entry("custom", customType="x", data={"n": number})
    filler(session, size_bytes)
    session.user("set up the linter")
    session.user("and run it")
    filler(session, len(session.data) + 50_000)
    session.save(root / "s.jsonl")
    assert "s" in quickly(home)
    assert counted(home)["s"].title == "set up the linter"


def test_a_first_prompt_longer_than_the_head_is_the_title(home, root):
    session = Writer()
    image = {"type": "image", "data": "A" * 3_000_000, "mimeType": "image/png"}
    session.message("user", [{"type": "text", "text": 'what "is"\nthis'}, image])
    session.save(root / "s.jsonl")
    assert quickly(home)["s"].title == 'what "is" this'


def test_s18_order_is_by_message_time_not_by_file_time(home, root):
    today = START + timedelta(days=400)
    times = {"today": today, "yesterday": today - timedelta(days=1), "last-year": today - timedelta(days=360)}
    entry = {"type": "message", "id": "a", "parentId": None}
    for number, (name, when) in enumerate(times.items()):
        body = {"role": "user", "content": name}
        entry_time = {"timestamp": iso(when)} if name == "yesterday" else {}
        message_time = {"timestamp": ms(when)} if name != "yesterday" else {}
        record = {**entry, **entry_time, "message": body | message_time}
        put(root / f"{name}.jsonl", header() + line(record), today - timedelta(days=300 - 90 * number))
    bare = {**entry, "message": {"role": "user", "content": "no time"}}
    put(root / "no-time.jsonl", header() + line(bare), today - timedelta(hours=3))
    rows = [session.file.stem for session in newest_first(counted(home).values())]
    assert rows == ["today", "no-time", "yesterday", "last-year"]
    assert [row.file.stem for row in newest_first(quickly(home).values())] == rows


def test_without_messages_the_header_tells_the_time(home, root):
    put(root / "s.jsonl", header(), START + timedelta(days=3))
    row = counted(home)["s"]
    assert (row.updated, row.title, row.pi_lists) == (START, "(no messages)", True)
    put(root / "t.jsonl", header(timestamp="soon"), START + timedelta(days=3))
    assert counted(home)["t"].updated == START + timedelta(days=3)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (
            line({"type": "message", "id": "m", "message": {"role": "user", "content": "x"}}),
            "no session header",
        ),
        (b"\xef\xbb\xbf" + header(), "byte-order mark"),
        (header(id=None), "no id"),
        (b"123\n" + header(), "not the first line"),
    ],
)
def test_files_that_are_no_sessions_to_pi_say_why(home, root, data, why):
    put(root / "s.jsonl", data)
    row = counted(home)["s"]
    assert (row.pi_lists, row.pi_opens) == (False, False)
    assert why in row.hidden_because


def test_unreadable_files_are_rows_that_say_so(home, root, monkeypatch):
    put(root / "a.jsonl", header())
    put(root / "b.jsonl", header())

    def refuse(path):
        if path.name == "a.jsonl":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path)

    opened = quick.opened
    cache = SessionCache(None)
    with monkeypatch.context() as patch:
        patch.setattr(quick, "opened", refuse)
        rows = quickly(home, cache)
    assert "permission denied" in rows["a"].hidden_because
    assert rows["a"].pi_lists is False
    assert rows["b"].pi_lists
    assert quickly(home, cache)["a"].pi_lists


def test_pipes_are_never_opened(home, root):
    root.mkdir(parents=True)
    os.mkfifo(root / "p.jsonl")
    put(root / "s.jsonl", header())
    assert set(quickly(home)) == {"s"}
    with pytest.raises(OSError, match="not a regular file"):
        Transcript(root / "p.jsonl")


def test_small_files_are_counted_at_once_and_large_ones_when_asked(home, root):
    small, large = Writer(), Writer()
    small.user("a")
    large.user("b")
    filler(large, 100_000)
    small.save(root / "small.jsonl")
    large.save(root / "large.jsonl")
    rows = quickly(home)
    assert rows["small"].counts.messages == 1
    assert rows["large"].counts is None
    assert counted(home)["large"].counts.messages == count(root / "large.jsonl").messages > 80


def test_listing_and_counting_stop_when_cancelled(home, root):
    for number in range(5):
        session = Writer()
        filler(session, 50_000)
        session.save(root / f"{number}.jsonl")
    cache = SessionCache(None)
    places = pi_places(home / "agent", home, home)
    answers = iter([False, False, True])
    assert len(list(list_sessions(places, cache, lambda: next(answers)))) == 2
    assert list(count_sessions(list_sessions(places, cache), cache, lambda: True)) == []


# The cache


def test_unchanged_files_are_not_opened_again(home, root, env, monkeypatch):
    session = Writer()
    session.user("a")
    filler(session, 100_000)
    session.save(root / "s.jsonl")
    cache = SessionCache(env.cache_dir)
    first = counted(home, cache)["s"]
    cache.save()
    monkeypatch.setattr(quick, "opened", None)
    again = quickly(home, SessionCache(env.cache_dir))["s"]
    assert again == first
    assert again.counts is not None
    assert list(count_sessions([again], cache)) == []


def test_a_file_of_the_same_size_but_another_time_is_read_again(home, root, env):
    session = Writer()
    session.user("aaa")
    path = session.save(root / "s.jsonl", START)
    cache = SessionCache(env.cache_dir)
    assert quickly(home, cache)["s"].title == "aaa"
    with open(path, "r+b") as file:
        file.write(path.read_bytes().replace(b"aaa", b"bbb"))
    os.utime(path, (START.timestamp() + 5, START.timestamp() + 5))
    assert quickly(home, cache)["s"].title == "bbb"


def test_the_cache_is_private_and_its_loss_is_no_loss(home, root, env):
    Writer().save(root / "s.jsonl")
    cache = SessionCache(env.cache_dir)
    before = quickly(home, cache)
    cache.save()
    (file,) = (env.cache_dir / "sessions").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    whole = file.read_bytes()
    first, line = whole.splitlines()
    path, entry = line.split(b"\0")
    other = json.loads(entry)
    del other[3][0]
    broken_entries = (b"", b"{", b"[]", b"7", b"[1,1,1,1,1,1,1,1]", json.dumps(other).encode(), b"[" * 99_999)
    assert path == os.fsencode(root / "s.jsonl")
    for broken in (
        *(b"", b"\n", b"[]", first, line, first + b"\n" + path, whole.replace(b"2", b"1", 1), whole[:-40]),
        *(first + b"\n" + path + b"\0" + item + b"\n" for item in broken_entries),
    ):
        file.write_bytes(broken)
        assert quickly(home, SessionCache(env.cache_dir)) == before


def test_a_file_that_only_grew_is_counted_on(home, root, env, monkeypatch):
    session = Writer()
    filler(session, 200_000)
    path = session.save(root / "s.jsonl")
    cache = SessionCache(env.cache_dir)
    before = counted(home, cache)["s"].counts
    cache.save()
    session.user("more")
    session.save(path)
    read = []
    at = quick.Reader.at
    fresh = SessionCache(env.cache_dir)
    rows = quickly(home, fresh)
    assert rows["s"].counts is None
    monkeypatch.setattr(
        quick.Reader, "at", lambda self, offset, size: read.append(size) or at(self, offset, size)
    )
    (row,) = count_sessions(rows.values(), fresh)
    assert sum(read) < 5_000
    assert row.counts == count(path)
    assert row.counts.messages == before.messages + 1


def test_a_row_is_read_when_something_of_it_is_asked_for(home, root, env, monkeypatch):
    for number in range(4):
        session = Writer("/home/dev/app", f"id-{number}")
        session.user(f"question {number}")
        session.save(root / f"{number}.jsonl", START + timedelta(seconds=number))
    (root / "5.jsonl").symlink_to("nowhere.jsonl")
    (root / "6.jsonl").symlink_to(root)
    places = pi_places(home / "agent", Path("/home/dev/app"), home)
    read = list(list_sessions(places, SessionCache(None)))
    looked = []
    look_at = listing.look_at
    monkeypatch.setattr(listing, "look_at", lambda path: looked.append(path.name) or look_at(path))
    cache = SessionCache(env.cache_dir)
    unread = list(unread_sessions(places, cache))
    assert [(row.where, row.file) for row in unread] == [(str(row.file), row.file) for row in read]
    assert [row.size_bytes for row in unread] == [row.size_bytes for row in read] and looked == []
    assert unread[1].title == read[1].title and looked == [unread[1].file.name]
    assert unread == read and repr(unread) == repr(read) and list(map(hash, unread)) == list(map(hash, read))
    assert sorted(looked) == ["0.jsonl", "1.jsonl", "2.jsonl", "3.jsonl"]
    with pytest.raises(AttributeError):
        _ = unread[0].nothing
    cache.save()
    again = list(unread_sessions(places, SessionCache(env.cache_dir)))
    gone = list(unread_sessions(places, SessionCache(None)))
    (root / "2.jsonl").unlink()
    assert again == read and len(looked) == 4
    (row,) = (row for row in gone if row.where.endswith("2.jsonl"))
    assert not row.pi_opens and "2.jsonl" in row.hidden_because and row.size_bytes > 0


def test_files_that_are_gone_leave_the_cache(home, root, env):
    path = Writer().save(root / "s.jsonl")
    cache = SessionCache(env.cache_dir)
    quickly(home, cache)
    path.unlink()
    assert quickly(home, cache) == {}
    cache.save()
    (file,) = (env.cache_dir / "sessions").iterdir()
    assert b"s.jsonl" not in file.read_bytes()


def test_a_cache_that_cannot_be_written_is_no_error(home, root, env):
    Writer().save(root / "s.jsonl")
    cache = SessionCache(env.cache_dir)
    quickly(home, cache)

    def full(effect, phase, _paths):
        if effect == "write_new" and phase == "middle":
            raise OSError(28, "No space left on device")

    with fs.observed_by(full):
        cache.save()
    assert list((env.cache_dir / "sessions").iterdir()) == []


_watching: list[str] | None = None


def _hook(event, arguments):
    if _watching is None:
        return
    if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND):
        _watching.append(f"{event} {arguments[0]}")
    if event.startswith(
        ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.utime", "os.chmod", "os.truncate")
    ):
        _watching.append(event)


def test_reading_never_writes(home, root):
    global _watching
    session = Writer()
    session.user("a")
    filler(session, 50_000)
    paths = [
        *(session.save(root / "s.jsonl"), put(root / "torn.jsonl", bytes(session.data)[:-9])),
        *(put(root / "old.jsonl", header(version=None)), put(root / "empty.jsonl", b"")),
    ]
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}
    sys.addaudithook(_hook)
    _watching = []
    try:
        counted(home)
        for path in paths:
            shown = Transcript(path)
            shown.messages(0, len(shown))
            shown.load_earlier()
            shown.grow()
        seen = list(_watching)
    finally:
        _watching = None
    assert seen == []
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in paths} == before


@pytest.mark.parametrize(
    "stamp",
    [-5, 0, True, 1e300, pytest.param(10**400, id="huge"), "x" * 50, "2026-13-45T00:00:00Z", [], "0001-01-01"],
)
def test_times_out_of_this_world_are_no_times(home, root, stamp):
    body = {"role": "user", "content": "x", "timestamp": stamp}
    put(root / "s.jsonl", header() + line({"type": "message", "id": "a", "timestamp": stamp, "message": body}))
    row = counted(home)["s"]
    assert isinstance(row.updated, datetime)
    assert row.updated.tzinfo is not None
    assert row.updated > datetime(1, 1, 1, tzinfo=UTC) or stamp == "0001-01-01"
