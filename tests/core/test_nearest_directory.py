"""Where a session can go on when its directory is gone: by git's records of worktrees, else above it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core.agents.directories import nearest


class Disk:
    """Directories and git's files below a folder, made by hand; names are relative to it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def dirs(self, *names: str) -> None:
        for name in names:
            (self.root / name).mkdir(parents=True)

    def repository(self, name: str, *worktrees: str, bare: bool = False, relative: bool = False) -> None:
        """A repository with a note of each worktree; their own directories are made by `worktree`."""
        git = self.root / name if bare else self.root / name / ".git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        for number, worktree in enumerate(worktrees):
            note = git / "worktrees" / f"w{number}"
            note.mkdir(parents=True)
            (note / "commondir").write_text("../..\n")
            path = self.root / worktree / ".git"
            (note / "gitdir").write_text(f"{'../' * 5 + worktree + '/.git' if relative else path}\n")

    def worktree(self, name: str, note: str) -> None:
        """The directory of a worktree, whose note is at a path."""
        (self.root / name).mkdir(parents=True)
        (self.root / name / ".git").write_text(f"gitdir: {self.root / note}\n")

    def nearest(self, gone: str, *also: str) -> tuple[str, str]:
        found = nearest(self.root / gone, [self.root / name for name in also])
        return str(found.directory.relative_to(self.root)), found.how


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def test_without_git_it_is_the_nearest_parent(disk: Disk) -> None:
    disk.dirs("code/it's; #(x)")
    assert disk.nearest("code/gone/deep") == ("code", "parent")
    assert disk.nearest("code/it's; #(x)/gone") == ("code/it's; #(x)", "parent")
    assert str(nearest(Path("/nowhere-at-all/x")).directory) == "/"
    # a file in the place of a directory is none
    (disk.root / "code" / "file").touch()
    assert disk.nearest("code/file/x") == ("code", "parent")


@pytest.mark.parametrize("relative", [False, True])
def test_a_worktree_beside_its_repository_leads_to_the_main_one(disk: Disk, relative: bool) -> None:
    disk.repository("code/app", "code/app-fix", relative=relative)
    disk.repository("code/other", "code/other-fix")
    disk.dirs("code/app/src")
    assert disk.nearest("code/app-fix") == ("code/app", "main worktree")
    # the same place in it, as deep as it is there
    assert disk.nearest("code/app-fix/src/new") == ("code/app/src", "main worktree")
    assert disk.nearest("code/app-fixed") == ("code", "parent")


def test_a_worktree_inside_its_repository_and_one_far_away(disk: Disk) -> None:
    disk.repository("code/app", "code/app/.trees/fix", "far/away")
    disk.dirs("code/app/.trees")
    assert disk.nearest("code/app/.trees/fix") == ("code/app", "main worktree")
    # pruned: git knows nothing of it any more
    assert disk.nearest("code/app/.trees/other") == ("code/app/.trees", "parent")
    # one that is far away is found from the project that memtui is in
    assert disk.nearest("far/away") == (".", "parent")
    assert disk.nearest("far/away", "code/app") == ("code/app", "main worktree")


def test_a_bare_repository_leads_to_another_worktree(disk: Disk) -> None:
    disk.repository("code/app.git", "code/gone", "code/also-gone", "code/there", bare=True)
    disk.worktree("code/there", "code/app.git/worktrees/w2")
    assert disk.nearest("code/gone") == ("code/there", "worktree")


def test_records_that_are_damaged_lead_nowhere(disk: Disk) -> None:
    disk.repository("code/app", "code/gone")
    (disk.root / "code/app/.git/worktrees/w0/gitdir").write_bytes(b"\xff\0\n")
    disk.dirs("code/app/.git/worktrees/empty")
    (disk.root / "code/app/.git/worktrees/file").write_text("x")
    assert disk.nearest("code/gone") == ("code", "parent")
