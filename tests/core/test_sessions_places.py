"""Where pi keeps sessions, and whose a session is."""

from pathlib import Path

import pytest
from session_corpus import Writer

from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import list_sessions, of_project
from memtui.core.sessions.pi_places import pi_places, session_dir_name


def mine(places):
    """Titles of the sessions that belong to the project."""
    sessions = list_sessions(places, SessionCache(None))
    return sorted(session.title for session in of_project(sessions, places))


def said(cwd, text, session_id="s"):
    """A session with one message."""
    session = Writer(cwd, session_id)
    session.user(text)
    return session


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/home/dev/proj beta/sub.dir", "--home-dev-proj beta-sub.dir--"),
        ("/", "----"),
        ("/home/dev/проект-漢字-🎉", "--home-dev-проект-漢字-🎉--"),
        ("C:\\x y", "--C--x y--"),
        ("//a", "---a--"),
    ],
)
def test_directory_names_are_computed_as_pi_does(cwd, name):
    assert session_dir_name(cwd) == name


def test_d16_sessions_are_filed_by_the_cwd_in_their_header(home):
    directory = home / "agent" / "sessions" / "--tmp-h-a-b--"
    said("/tmp/h/a-b", "dash").save(directory / "1.jsonl")
    said("/tmp/h/a/b", "slash").save(directory / "2.jsonl")
    said("/tmp/h/a/b", "elsewhere").save(directory.parent / "--moved--" / "3.jsonl")
    assert mine(pi_places(home / "agent", Path("/tmp/h/a-b"), home)) == ["dash"]
    assert mine(pi_places(home / "agent", Path("/tmp/h/a/b"), home)) == ["elsewhere", "slash"]


def test_the_variable_wins_and_makes_one_flat_directory(home):
    flat = home / "flat"
    said("/p/a", "mine").save(flat / "1.jsonl")
    said("/p/b", "theirs").save(flat / "2.jsonl")
    said("/p/a", "deeper").save(flat / "--p-a--" / "3.jsonl")
    settings = {"sessionDir": "/nowhere"}
    places = pi_places(home / "agent", Path("/p/a"), home, "~/flat", settings, settings)
    assert (places.directory, places.flat, places.source, places.warnings) == (flat, True, "variable", ())
    assert mine(places) == ["mine"]
    assert len(list(list_sessions(places, SessionCache(None)))) == 2


def test_the_projects_setting_wins_over_the_global_one(home):
    places = pi_places(home / "agent", home, home, "", {"sessionDir": "~/g"}, {"sessionDir": "mine"})
    assert (places.directory, places.source) == (home / "mine", "setting")
    assert "sessionDir is a relative path (mine)" in places.warnings[0]
    assert pi_places(home / "agent", home, home, "", {"sessionDir": "~"}, {}).directory == home
    assert pi_places(home / "agent", home, home, "", {}, {"sessionDir": "file:///a%20b"}).directory == Path(
        "/a b"
    )


@pytest.mark.parametrize("value", ["", None, 7, ["x"]])
def test_a_setting_that_is_no_path_counts_as_unset(home, value):
    places = pi_places(home / "agent", Path("/p"), home, "", {"sessionDir": value})
    assert (places.directory, places.own) == (home / "agent/sessions", home / "agent/sessions/--p--")
    assert not places.flat


def test_files_where_pi_does_not_look_are_marked(home):
    root = home / "agent" / "sessions"
    said("/p", "loose").save(root / "1.jsonl")
    said("/p", "fine").save(root / "--p--" / "2.jsonl")
    (root / "--p--" / "notes.txt").write_text("no session")
    said("/p", "too deep").save(root / "--p--" / "deep" / "3.jsonl")
    sessions = {
        session.title: session
        for session in list_sessions(pi_places(home / "agent", home, home), SessionCache(None))
    }
    assert set(sessions) == {"loose", "fine"}
    assert sessions["fine"].pi_lists
    assert not sessions["loose"].pi_lists
    assert "where pi looks" in sessions["loose"].hidden_because
    assert sessions["loose"].pi_opens


def test_what_pi_looks_at_follows_the_setting_not_the_cache(home):
    root = home / "agent" / "sessions"
    said("/p", "loose").save(root / "1.jsonl")
    cache = SessionCache(None)
    default, flat = pi_places(home / "agent", home, home), pi_places(home / "agent", home, home, str(root))
    for places, lists in ((default, False), (flat, True), (default, False)):
        assert [session.pi_lists for session in list_sessions(places, cache)] == [lists]


def test_linked_directories_and_files_are_followed_and_known(home):
    root = home / "agent" / "sessions"
    elsewhere = said("/p", "linked").save(home / "elsewhere" / "1.jsonl")
    root.mkdir(parents=True)
    (root / "--p--").symlink_to(home / "elsewhere")
    (root / "--q--").mkdir()
    (root / "--q--" / "l.jsonl").symlink_to(elsewhere)
    (root / "--q--" / "gone.jsonl").symlink_to(home / "nothing")
    (root / "--q--" / "dir.jsonl").mkdir()
    places = pi_places(home / "agent", Path("/p"), home)
    found = {
        (session.file.name, session.is_link, session.pi_lists)
        for session in list_sessions(places, SessionCache(None))
    }
    assert found == {("1.jsonl", False, True), ("l.jsonl", True, True), ("gone.jsonl", False, False)}


def test_without_a_cwd_the_directory_decides(home):
    root = home / "agent" / "sessions"
    old = Writer(cwd=None)
    old.user("no cwd")
    old.save(root / "--p--" / "1.jsonl")
    old.save(root / "--q--" / "2.jsonl")
    places = pi_places(home / "agent", Path("/p"), home)
    mine = of_project(list_sessions(places, SessionCache(None)), places)
    assert [session.file.parent.name for session in mine] == ["--p--"]


def test_a_directory_that_vanishes_is_an_empty_list(home):
    assert list(list_sessions(pi_places(home / "agent", home, home), SessionCache(None))) == []
