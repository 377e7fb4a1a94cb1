"""The demo's main project: a small, believable store with a handful of things to clean up."""

from __future__ import annotations

from memtui.demo.tree import Item, text

INDEX = """\
# Memory Index

- [Role and preferences](user-role.md) — backend developer, wants short answers first
- [Prefer small commits](prefer-small-commits.md) — under 200 lines, refactors apart from behaviour
- [No mocks in database tests](no-mocks-in-db-tests.md) — they once hid a broken migration
- [Merge freeze](project-freeze.md) — starts on 2025-03-05 for the mobile release
- [Auth rewrite](auth-rewrite.md) — legal asked for it, not tech debt
- [Grafana, the old one](grafana-old.md) — dashboards before the move
- [Staging port](staging-port.md) — ssh listens on 2222
- [日本語で返答](日本語で返答.md) — 依頼が日本語なら日本語で答える
- [Staging, how to get in](./staging-port.md) — ssh on 2222, key in the team vault
- [Release steps](release-steps.md) — tag, then push; CI publishes
- [Import incident](import-incident.md) — what happened and the checks that came of it
- [Error messages](error-messages.md) — name the field and the accepted values
- [Ticket board](ticket-board.md) — bugs of the pipeline are tracked in Linear, project INGEST
"""


def fact(name: str, description: str, kind: str, body: str, *, session: str = "", quote: bool = False) -> str:
    """A fact file as pi-zcode-memory writes it, or with a session id as ZCode stamps it."""
    shown = f'"{description}"' if quote else description
    stamp = f"  originSessionId: {session}\n" if session else ""
    head = f"name: {name}\ndescription: {shown}\nmetadata:\n  node_type: memory\n  type: {kind}\n{stamp}"
    return f"---\n{head}---\n\n{body}"


def _incident() -> str:
    steps = "".join(
        f"- 09:{minute:02d}: batch {minute} replayed, {minute * 37 % 90 + 10} rows differed from the source, "
        f"kept the newer one\n"
        for minute in range(60)
    )
    intro = "The nightly import wrote rows twice after a retry. No data was lost.\n\n## What was done\n\n"
    checks = "\n## Checks since then\n\nThe import refuses to start while a lock of another run exists.\n"
    return intro + steps + checks


_STAMPED_FREEZE = """\
---
name: project-freeze
description: Merge freeze for the mobile release branch, agreed with the mobile
  team in the planning meeting
metadata:
  node_type: memory
  type: project
  originSessionId: sess_6f1d2c3b-4a59-4e68-8d77-0c9b8a7f6e5d
---

The merge freeze starts on 2025-03-05 for the mobile release branch.

**Why:** the mobile team cuts its release that day.
**How to apply:** point out non-critical pull requests that are planned after that date.
"""

_DAY = 24.0

STORE: tuple[Item, ...] = (
    text("MEMORY.md", INDEX, 5),
    text(
        "user-role.md",
        fact(
            "user-role",
            "Backend developer, ten years of Go, new to the frontend here; wants the short answer first",
            "user",
            "Explain frontend ideas by analogy to backend ones. First the answer, then the reasons.\n",
        ),
        40 * _DAY,
    ),
    text(
        "prefer-small-commits.md",
        fact(
            "prefer-small-commits",
            "Keep commits small, split refactors from behaviour",
            "feedback",
            "Keep commits under 200 lines.\n\n**Why:** the reviewer asked twice in March.\n"
            "**How to apply:** split a refactor from a change of behaviour.\n\nSee [[project-freeze]].\n",
        ),
        21 * _DAY,
    ),
    text(
        "no-mocks-in-db-tests.md",
        fact(
            "no-mocks-in-db-tests",
            "Integration tests talk to a real database, never to mocks",
            "feedback",
            "Use the test database.\n\n**Why:** mocked tests passed while the migration was broken.\n"
            "**How to apply:** `make db-test` starts one in a container.\n",
            session="sess_2b7e1516-28ae-4d2a-a6f7-158809cf4f3c",
        ),
        14 * _DAY,
    ),
    text("project-freeze.md", _STAMPED_FREEZE, 90 * _DAY),
    text(
        "auth-rewrite.md",
        fact(
            "auth-rewrite",
            "The rewrite of the auth middleware is driven by legal, not by tech debt",
            "project",
            "Scope decisions favour compliance over comfort.\n\n**Why:** session tokens were stored in a way "
            "that legal flagged.\n",
        ),
        5 * _DAY,
    ),
    text(
        "oncall-dashboard.md",
        fact(
            "oncall-dashboard",
            "The latency board that oncall watches",
            "reference",
            "grafana.example.test/d/api-latency: look at it before changing code on the request path.\n",
        ),
        9 * _DAY,
    ),
    text(
        "staging-port.md",
        fact(
            "staging-port",
            "ssh to staging listens on port 2222",
            "reference",
            "The key is in the team vault.\n",
        ),
        0.5,
    ),
    text(
        "日本語で返答.md",
        fact(
            "日本語で返答",
            "依頼が日本語なら日本語で答える",
            "feedback",
            "コードのコメントは英語のままにする。\n",
        ),
        30 * _DAY,
    ),
    text(
        "release-steps.md",
        fact(
            "release-steps",
            "Release steps: tag, then push; CI publishes",
            "project",
            "1. `git tag v1.2.3`\n2. `git push --tags`\n3. wait for the publish job\n",
        ),
        60 * _DAY,
    ),
    text(
        "import-incident.md",
        fact(
            "import-incident",
            "The double import of autumn 2025: what was done, and the checks that came of it",
            "project",
            _incident(),
        ),
        75 * _DAY,
    ),
    text(
        "ticket-board.md",
        fact(
            "ticket-board",
            "Bugs of the pipeline are tracked in Linear: project INGEST",
            "reference",
            "Look there for the history of a failing job.\n",
            quote=True,
        ),
        33 * _DAY,
    ),
    text(
        "error-messages.md",
        fact(
            "error-messages",
            "Error messages of the API name the field and the accepted values",
            "feedback",
            "Say what was wrong, where, and what would be right.\n",
        ),
        12 * _DAY,
    ),
)
"""Files of the ZCode store."""

CLAUDE_INDEX = """\
- [Build command](project_build.md) — `make all`, never the script in tools
- [Review style](feedback_review.md) — comments as questions
"""


def _claude_fact(name: str, description: str, kind: str, body: str) -> str:
    return (
        f'---\nname: {name}\ndescription: "{description}"\nmetadata: \n  node_type: memory\n  type: {kind}\n'
        f"  originSessionId: 0b9e1c57-6d2f-4f7a-9a53-1d3c5e7f9b11\n---\n\n{body}"
    )


CLAUDE_STORE: tuple[Item, ...] = (
    text("MEMORY.md", CLAUDE_INDEX, 3 * _DAY),
    text(
        "project_build.md",
        _claude_fact(
            "Build command", "The build is make all", "project", "`make all` also runs the linters.\n"
        ),
        3 * _DAY,
    ),
    text(
        "feedback_review.md",
        _claude_fact("Review style", "Review comments are questions", "feedback", "Ask, then suggest.\n"),
        6 * _DAY,
    ),
)
"""Files of Claude Code's memory of the same project."""

GONE_STORE: tuple[Item, ...] = (
    text(
        "MEMORY.md",
        "- [Build command](project_build.md) — `ninja`, before the move to make\n"
        "- [Review style](feedback_review.md) — comments as questions\n"
        "- [Certificates](reference_certificates.md) — renewed by Ana in March\n",
        40 * _DAY,
    ),
    text(
        "project_build.md",
        _claude_fact("Build command", "The build is ninja", "project", "`ninja -C out`, from the top.\n"),
        60 * _DAY,
    ),
    CLAUDE_STORE[2],
    text(
        "reference_certificates.md",
        _claude_fact(
            "Certificates", "Where the certificates come from", "reference", "Ana renews them in March.\n"
        ),
        40 * _DAY,
    ),
)
"""Files of Claude Code's memory of a project that is not there any more: of the first file the app's store has
another text, the second is there word for word, the third is not."""

PROJECT: tuple[Item, ...] = (
    text("README.md", "# app\n\nThe service that the demo's memories are about.\n", 80 * _DAY),
    text(".git/HEAD", "ref: refs/heads/main\n", 80 * _DAY),
    text(".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n", 80 * _DAY),
    Item(".git/objects"),
    Item(".git/refs/heads"),
)
"""Files of the project itself."""
