"""Secrets: what is one and what only looks like one, masked as long as it was, taken out of files."""

from __future__ import annotations

import random
import time
from pathlib import Path

import made_secrets as made
import pytest
from carry_stores import FILES, PROFILES, files_of, fill, store_of
from facts_store import after, drafted, snap

from memtui.core.checks import run as run_checks
from memtui.core.crash_log import keep_crash
from memtui.core.env import Env
from memtui.core.errors import ConflictError
from memtui.core.layouts.base import Redact, digest
from memtui.core.safety import display, secrets
from memtui.core.search.query import parse
from memtui.core.search.snippet import snippet
from memtui.core.workspace import Workspace

SECRETS = [
    ("github", f"use {made.GITHUB} here", made.GITHUB),
    ("aws", f"key={made.AWS};", made.AWS),
    ("anthropic", f"export KEY='{made.ANTHROPIC}'", made.ANTHROPIC),
    ("openai", made.OPENAI, made.OPENAI),
    ("google", f"?key={made.GOOGLE}&x=1", made.GOOGLE),
    ("stripe", f"({made.STRIPE})", made.STRIPE),
    ("npm", f"_authToken={made.NPM}", made.NPM),
    ("pypi", made.PYPI, made.PYPI),
    ("gitlab", f"`{made.GITLAB}`", made.GITLAB),
    ("slack", made.SLACK, made.SLACK),
    ("jwt", f"cookie {made.JWT}", made.JWT),
    ("bearer", f"Authorization: Bearer {made.BEARER}", made.BEARER),
    ("bearer", f'-H "authorization: token {made.BEARER}"', made.BEARER),
    ("private-key", f"a\n{made.KEY}\nb", made.KEY_BODY),
    ("private-key", made.KEY.partition("-----END")[0], made.KEY_BODY),
    ("private-key", "+" + made.KEY.replace("\n", "\n+"), f"+{made.KEY_BODY}\n".replace("\n", "\n+")),
    ("private-key", "a\n" + made.KEY[:31] + "\n", made.KEY[:31]),
    ("private-key", made.KEY[:31] + "\n" + made.KEY_BODY[:20] + "\n" + made.KEY[-29:], made.KEY_BODY[:20]),
    ("address", f"postgres://app:{made.PASSWORD}@db:5432/x", made.PASSWORD),
    ("address", f"redis://:{made.PASSWORD}@localhost", made.PASSWORD),
    ("password", f"password={made.PASSWORD}", made.PASSWORD),
    ("password", f"The staging password is {made.PASSWORD}.", made.PASSWORD),
    ("password", f'"db_password": "{made.PASSWORD}!"', f"{made.PASSWORD}!"),
    ("password", f"password for the staging db: {made.PASSWORD}", made.PASSWORD),
    ("password", f"数据库密码：{made.PASSWORD}，不要外传", made.PASSWORD),
    ("password", f"密码是 {made.PASSWORD}", made.PASSWORD),
    ("password", f"mysql --host db --password {made.PASSWORD} app", made.PASSWORD),
    ("named", f"gh auth --with-token={made.BEARER}", made.BEARER),
    ("named", f"api_key: {made.BEARER}", made.BEARER),
    ("named", f"secret_key_base = {made.HEX}", made.HEX),
    ("named", f"访问令牌: {made.BEARER}", made.BEARER),
    ("named", f"İ token: {made.BEARER}", made.BEARER),
]

LOOK_ALIKES = [
    *("sk-learn", "sk-learn-contrib-imbalanced-learn-datasets-v2", f"commit {made.HEX}", f"sha256: {made.HEX}"),
    *("password: see vault", "password: required", "password = get_password()", "password=changeme"),
    *("password: ${DB_PASSWORD}", "password = os.environ['DB_PASSWORD']", "password: 8 characters or more"),
    *("password: <your password>", "the password is in ~/.pgpass2", "passwords are rotated every 90d"),
    *("password: ********", "password: DB_PASSWORD_2", "password: 2026-11-30", "PASSWORD=process.env.PASS1"),
    "gh" + "p_" + "x" * 36,
    "AKIA" + "IOSFODNN7EXAMPLE",
    "api_key: your-api-key-here-please-1",
    "token: 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "id 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "the token budget is 200000 tokens",
    "token_count = 1234567890123456",
    "secret: projects/app-prod/secrets/db-pass-1",
    "token: AccessTokenProviderFactory2",
    "ssh://git@host:22/x",
    "https://user:password@host.test",
    *("postgres://user:${PW}@db/x", "amqp://guest1:guest1@mq", "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9..."),
    "ssh-ed25519 " + made.drawn(68),
    f"-----BEGIN PUBLIC KEY-----\n{made.KEY_BODY}\n-----END PUBLIC KEY-----",
    f"look for {made.KEY[:31]}\nin the logs",
    f"```\n{made.KEY[:31]}\n...\n{made.KEY[-29:]}\n```",
    *("密码放在保险箱里", "密码：见 1Password", "令牌过期时间是 3600 秒", "密钥长度为 4096"),
]


@pytest.mark.parametrize(
    ("rule", "text", "value"), SECRETS, ids=[f"{rule}-{n}" for n, (rule, *_) in enumerate(SECRETS)]
)
def test_a_secret_is_found_and_masked(rule: str, text: str, value: str) -> None:
    (found,) = secrets.find(text)
    assert (found.rule.id, text[found.start : found.end]) == (rule, value)
    masked = secrets.masked(text)
    assert len(masked) == len(text) and masked.count("\n") == text.count("\n")
    assert secrets.masked(masked) == masked
    assert (
        value not in masked
        and (len(value) < 12 or value[8:] not in masked)
        and masked.startswith(text[: found.start])
    )
    with secrets.seen([value]):
        assert secrets.masked(text) == text
    with secrets.seen(["another"]):
        assert secrets.masked(text) == masked


def test_secrets_that_meet_are_masked_to_the_last_sign() -> None:
    text = f"password={'x1!' * 20}.{made.JWT} and {made.NPM}"
    assert [text[item.start : item.end] for item in secrets.find(text)] == [text[9:-45], made.NPM]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert secrets.find(text) == ()
    assert secrets.masked(text) is text


def test_masking_twice_changes_nothing_whatever_stands_side_by_side() -> None:
    lot = random.Random(7)
    pieces = [text for _rule, text, _value in SECRETS] + LOOK_ALIKES + ["\n", " ", "=", "•••", "…", "'"]
    for _round in range(400):
        text = lot.choice(["", " ", "\n"]).join(lot.choices(pieces, k=4))
        once = secrets.masked(text)
        assert secrets.masked(once) == once and len(once) == len(text)
        assert display.block(display.block(text)) == display.block(text)


def test_long_hostile_lines_take_time_in_proportion() -> None:
    pieces = [
        "password=",
        "secret=",
        "token: ",
        "api key for ",
        "-----BEGIN RSA " + "PRIVATE KEY-----\n",
        "sk-",
    ]
    pieces += ["://a:", "Bearer ", "eyJ", "password is ", "token (", "A"]

    def seconds(count: int) -> float:
        began = time.process_time()
        for piece in pieces:
            secrets.find(piece * (count // len(piece)))
        return time.process_time() - began

    seconds(2_500)
    assert seconds(40_000) < 16 * 3 * seconds(2_500) + 0.5


def test_what_is_cut_is_masked_before_it_is_cut() -> None:
    long = f"{'word ' * 200}{made.GITHUB} the needle {made.KEY} end"
    for query in ("needle", made.GITHUB[10:20], "end"):
        row = snippet(parse(query), long).text
        assert made.GITHUB[8:20] not in row and made.KEY_BODY[:20] not in row
    assert made.GITHUB[8:] not in secrets.masked_head(f"x {made.GITHUB} y", 30)
    # a title that another program has cut
    assert secrets.masked(f"use {made.GITHUB[:24]}…") == f"use {made.GITHUB[:4]}{'•' * 20}…"
    assert secrets.masked("npm_config_registry") == "npm_config_registry"


def test_lines_that_belong_together_are_masked_together() -> None:
    lines = ["a", *made.KEY.split("\n"), f"password={made.PASSWORD}", ""]
    document = {"id": made.GITHUB, "lines": lines, "more": [{"title": made.GITHUB, "n": 1}], "file": None}
    masked = secrets.masked_values(document, {"id"})
    assert isinstance(masked, dict) and masked["lines"] == display.rows(lines)
    assert masked["id"] == made.GITHUB and masked["more"] == [{"title": secrets.masked(made.GITHUB), "n": 1}]
    assert [len(line) for line in masked["lines"]] == [len(line) for line in lines]
    assert not any(part in str(masked["lines"]) for part in (*made.KEY_BODY.split("\n"), made.PASSWORD))


def test_a_crash_log_holds_no_secret(env: Env) -> None:
    path = keep_crash(env, ValueError(f"no such token: {made.GITHUB}"))
    assert made.GITHUB[8:] not in path.read_text() and "ghp_•••" in path.read_text()


def test_a_check_names_the_place_and_not_the_secret() -> None:
    snapshot = snap(
        {
            "MEMORY.md": f"# M\n\n- [A](a.md) — key {made.AWS}\n- password: {made.PASSWORD}\n",
            "a.md": f"---\nname: a\ndescription: d\n---\n\n\nuse {made.GITHUB}\nand {made.GITHUB}\n",
            "b.md": f"commit {made.HEX}\n",
        }
    )
    found = [problem for problem in run_checks(snapshot) if problem.code == "secret"]
    assert [(item.memory, item.file, item.line, item.severity) for item in found] == [
        ("a.md", "MEMORY.md", 3, "error"),
        ("a.md", "a.md", 7, "error"),
        ("a.md", "a.md", 8, "error"),
        (None, "MEMORY.md", 4, "warning"),
    ]
    assert found[1].repair == Redact("a.md", (digest(made.GITHUB.encode()),))
    for item in found:
        assert made.GITHUB[8:] not in item.message and made.AWS[8:] not in item.message
        assert made.PASSWORD not in item.message and "•••" in item.message


def test_redacting_changes_the_secret_and_nothing_else() -> None:
    text = f"---\r\nname: a\r\ntoken: {made.GITHUB}\r\ntags:\r\n  - {made.GITHUB}\r\n---\r\n\r\n\xff{made.GITHUB} and {made.PASSWORD}\r\n"
    snapshot = snap(
        {
            "MEMORY.md": f"- [x {made.GITHUB}](a.md) — {made.GITHUB}\n- [B](b-{made.PASSWORD}.md) — password: "
            f"{made.PASSWORD}\n",
            "a.md": text.encode("latin-1"),
            f"b-{made.PASSWORD}.md": "text",
        }
    )
    files = after(snapshot, Redact("a.md", (digest(made.GITHUB.encode()),)))
    expected = text.replace(f"token: {made.GITHUB}", "token: (redacted)")
    expected = expected.replace(f"- {made.GITHUB}", "- (redacted)").replace(made.GITHUB, "[redacted]")
    assert files["a.md"] == expected.encode("latin-1")
    assert files["MEMORY.md"].startswith(b"- [x (redacted)](a.md) \xe2\x80\x94 [redacted]\n")
    assert made.PASSWORD.encode() in files["MEMORY.md"]
    # the target of a link stays: it would lead nowhere
    files = after(snapshot, Redact("MEMORY.md"))
    assert f"](b-{made.PASSWORD}.md) — password: [redacted]".encode() in files["MEMORY.md"]
    assert made.PASSWORD not in drafted(snapshot, Redact("MEMORY.md")).summary


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_layout_redacts_and_undo_brings_every_byte_back(name: str, tmp_path: Path, env: Env) -> None:
    fill(tmp_path, name)
    path = next(path for path in FILES[name] if path != PROFILES[name].index_name)
    with (tmp_path / name / path).open("ab") as file:
        file.write(f"The key of the registry is {made.NPM} for now.\n".encode())
    before = files_of(tmp_path, name)
    workspace, store = Workspace(env), store_of(tmp_path, name)
    snapshot = workspace.scan(store)
    (problem,) = (problem for problem in snapshot.problems if problem.code == "secret")
    assert problem.file == path and snapshot.memory(problem.memory or "") is not None
    assert problem.repair is not None
    outcome = workspace.run(snapshot, "repair", (problem.repair,))
    workspace.settle(0)
    files = files_of(tmp_path, name)
    key = f"{name}/{path}"
    assert files == before | {key: before[key].replace(made.NPM.encode(), b"[redacted]")}
    assert outcome.change is not None and outcome.written
    # what is done is done: nothing is left to take out
    with pytest.raises(ConflictError):
        workspace.run(workspace.scan(store), "repair", (problem.repair,))
    assert "secret" not in {item.code for item in workspace.scan(store).problems}
    workspace.undo(outcome.change.id)
    workspace.settle(0)
    assert files_of(tmp_path, name) == before
