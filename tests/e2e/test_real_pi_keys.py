"""`R`, `A` and `>` beside the real pi, from the key to what its extension hears. Needs pi and tmux on PATH."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from model_server import model_server
from real_pi import PI, TMUX, WHY_NOT, RealPi, without_completions

sys.path.insert(0, str(Path(__file__).parents[1] / "ui"))

from app_driver import MakeEnv, running

from memtui.core.locate.zcode_names import cli_root, project_dir_name, projects_root

pytestmark = pytest.mark.skipif(PI is None or TMUX is None, reason=WHY_NOT)

FACT = "---\nname: deploy\ndescription: how to deploy\n---\n\nWith `make deploy`,\nnever on Fridays.\n"


@pytest.fixture
def pi(tmp_path: Path, real_environ: Mapping[str, str]) -> Iterator[RealPi]:
    """A pi with pi-zcode-memory as far as its `/memory` goes, and a pane of memtui beside it."""
    with model_server() as address:
        pi = RealPi(tmp_path, real_environ, address, {"zcode": without_completions("zcode", "Project memory")})
        # it is told by the package that its file lies in
        package = {"name": "@momenttttt/pi-zcode-memory", "version": "1.0.0"}
        (tmp_path / "home" / ".pi" / "agent" / "extensions" / "package.json").write_text(json.dumps(package))
        pi.tmux("split-window", "-d", "-h", "-l", "20", "sleep 600")
        pi.wait_ready()
        pi.news()
        yield pi
        pi.close()


async def test_keys_reach_the_pi_beside_and_leave_a_draft_alone(
    make_env: MakeEnv, tmp_path: Path, pi: RealPi, real_environ: Mapping[str, str]
) -> None:
    home = tmp_path / "home"
    work = home / "work"
    store = projects_root(cli_root(home / ".zcode")) / project_dir_name(str(work), "posix") / "memory"
    store.mkdir(parents=True)
    (store / "deploy.md").write_text(FACT)
    (store / "MEMORY.md").write_text("- [Deploy](deploy.md) — how to deploy\n")
    own = next(pane for pane in pi.tmux("list-panes", "-F", "#{pane_id}").split() if pane != pi.pane)
    environ = {"PATH": real_environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    environ |= {"TMUX": f"{tmp_path / 't'},1,0", "TMUX_PANE": own}
    async with running(make_env(home=home, cwd=work, environ=environ), (120, 36)) as driver:
        await driver.press("R")
        assert "Send “/memory reload” to pi in 0:0.0 (~/work)?" in driver.words
        await driver.press("y")
        assert "/memory reload was sent, and pi took it" in driver.app.desk.status.said
        assert pi.news() == [{"ran": "zcode", "args": "reload"}]

        await driver.press("A", "j", "enter", "y")
        assert "/memory was sent, and pi took it" in driver.sentences
        assert pi.news() == [{"ran": "zcode", "args": ""}]
        await driver.press("q")

        pi.wait_empty()
        await driver.press(">", "y")
        assert "the text of deploy.md" in driver.app.desk.status.said
        assert pi.editor.rows[-1].strip() == "never on Fridays." and pi.news() == []

        # that is a draft now
        await driver.press("R")
        assert (
            "nothing was typed: there is a draft in its editor" in driver.app.desk.status.said
            and not driver.app.desk.is_asking
        )
        assert pi.tmux("show-buffer") == "/memory reload"
        assert pi.editor.rows[-1].strip() == "never on Fridays." and pi.news() == []
