"""The table behind `secrets`: what keys, tokens and passwords look like, and what only looks like them.

Shapes are as their issuers document them (prefixes and lengths). A pattern is tried only where one of its
rule's `hints` stands, and every repetition in it is bounded, so that a long hostile text costs no more than a
long harmless one. Patterns are compiled when they are first needed: most runs see no secret.
"""

from __future__ import annotations

from typing import Literal

from memtui.i18n import _
from memtui.late.dataclasses import dataclass

Severity = Literal["error", "warning"]
Proof = Literal["shape", "random", "password"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret: the group `value` of `pattern`, which begins at a hint, is masked and redacted.

    `name` is what it is in words; with `folds` the hints are lower-case and mean capitals too. `shown`
    characters of the value stay readable, for they say what it is and not which. `proof`: `shape` = the pattern
    is enough; `random` = the value must also look drawn by lot; `password` = it must look like one, not a word.
    """

    id: str
    name: str
    severity: Severity
    hints: tuple[str, ...]
    pattern: str
    shown: int = 0
    proof: Proof = "shape"
    folds: bool = False


_BEGIN = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"


def _shape(
    rule_id: str, name: str, hints: tuple[str, ...], value: str, shown: int, proof: Proof = "shape"
) -> Rule:
    """A rule for values that say themselves what they are."""
    return Rule(rule_id, name, "error", hints, f"{_BEGIN}(?P<value>{value}){_END}", shown, proof)


_QUOTE = r"""\\?["'`]?"""
_IS = rf"{_QUOTE}\]?\s{{0,3}}(?::=|=>|[:=：＝]|\b(?:is|was)\b|是|为|為)\s{{0,3}}{_QUOTE}"
_FOR = r"(?:\s(?:for|of|to)\s[\w .-]{1,40}?|（[^）\n]{1,20}）|\s?\([^)\n]{1,30}\))?"
_VALUE = r"""[^\s"'`\\,;<>(){}（）《》，。；、]"""

_PASSWORD = (
    r"(?i:passw(?:or)?d|passphrase|passcode|(?<![a-z])pass(?=[\"'\\]{0,2}\s?[:=])|(?<![a-z])pwd|密码|密碼|口令)"
)

_KEYS = (
    "api access secret auth client private account encryption signing refresh master shared service deploy app"
)
_BEFORE_KEY = "|".join(f"(?<={word})|(?<={word}[ _.-])" for word in _KEYS.split())
_NAMED = (
    rf"(?i:(?:{_BEFORE_KEY})key|token|secret|credentials?|令牌|密钥|密鑰|秘钥|金鑰)"
    r"(?i:[ _-]?(?:id|base|key|value|token|secret)){0,2}"
)

RULES: tuple[Rule, ...] = (
    _shape("aws", _("an AWS access key"), ("AKIA", "ASIA"), r"(?:AKIA|ASIA)[A-Z0-9]{16}", 4),
    _shape(
        "github",
        _("a GitHub token"),
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"(?:gh[opusr]_[A-Za-z0-9]{36,255}+|github_pat_[A-Za-z0-9_]{36,255}+)",
        4,
    ),
    _shape(
        "gitlab",
        _("a GitLab token"),
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "gloas-", "glsoat-"),
        r"gl[a-z]{2,5}-[A-Za-z0-9_-]{20,300}+",
        6,
    ),
    _shape("slack", _("a Slack token"), ("xox", "xapp"), r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{20,300}+", 5),
    Rule(
        "slack-hook",
        _("the address of a Slack webhook"),
        "error",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows)/(?P<value>[A-Za-z0-9/]{20,200}+)",
    ),
    _shape("anthropic", _("an Anthropic key"), ("sk-ant-",), r"sk-ant-[A-Za-z0-9_-]{24,300}+", 7),
    _shape(
        "openai",
        _("an OpenAI key"),
        ("sk-",),
        r"sk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,300}+",
        3,
        "random",
    ),
    _shape(
        "google",
        _("a Google key"),
        ("AIza", "GOCSPX-", "ya29."),
        r"(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{30,1000}+)",
        4,
    ),
    _shape(
        "stripe",
        _("a Stripe key"),
        ("sk_live_", "rk_live_", "whsec_"),
        r"(?:[rs]k_live_[A-Za-z0-9]{16,250}+|whsec_[A-Za-z0-9+/=]{24,100}+)",
        4,
    ),
    _shape("npm", _("an npm token"), ("npm_",), r"npm_[A-Za-z0-9]{36}", 4),
    _shape("pypi", _("a PyPI token"), ("pypi-Ag",), r"pypi-Ag[A-Za-z0-9_-]{50,1000}+", 5),
    _shape(
        "service",
        _("a service's token"),
        ("hf_", "SG.", "dop_v1_", "glsa_", "shpat_", "dckr_pat_"),
        r"(?:hf_[A-Za-z0-9]{34,40}|SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}|dop_v1_[a-f0-9]{64}"
        r"|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|shpat_[a-f0-9]{32}|dckr_pat_[A-Za-z0-9_-]{27})",
        4,
    ),
    Rule(
        "jwt",
        _("a signed web token (JWT)"),
        "warning",
        ("eyJ",),
        rf"{_BEGIN}(?P<value>eyJ[A-Za-z0-9_-]{{8,2000}}+\.eyJ[A-Za-z0-9_-]{{8,4000}}+\.[A-Za-z0-9_-]{{16,1000}}+)",
        3,
    ),
    Rule(
        "address",
        _("an address with a password in it"),
        "warning",
        ("://",),
        r"://(?<=[A-Za-z0-9]://)(?P<user>[^\s:/@?#\"'<>]{0,80}):(?!(?P=user)@)(?P<value>[^\s/@\"'<>]{3,200})@"
        r"(?=[A-Za-z0-9\[.$_{-])",
    ),
    Rule(
        "bearer",
        _("an authorization header"),
        "warning",
        ("authorization",),
        rf"(?i:authorization){_IS}(?i:bearer|basic|token)\s{{1,3}}(?P<value>[A-Za-z0-9._~+/=-]{{16,2000}}+)",
        folds=True,
    ),
    Rule(
        "bearer-token",
        _("a bearer token"),
        "warning",
        ("bearer",),
        r"(?i:bearer)[\s:]{1,3}(?P<value>[A-Za-z0-9._~+/=-]{20,2000}+)",
        proof="random",
        folds=True,
    ),
    Rule(
        "password",
        _("a password"),
        "warning",
        ("pass", "pwd", "密码", "密碼", "口令"),
        rf"(?:(?<=-){_PASSWORD}[ =]{_QUOTE}|{_PASSWORD}{_FOR}{_IS})(?P<value>{_VALUE}{{6,128}}+)",
        proof="password",
        folds=True,
    ),
    Rule(
        "named",
        _("a key or token beside its name"),
        "warning",
        ("key", "token", "secret", "credential", "令牌", "密钥", "密鑰", "秘钥", "金鑰"),
        rf"(?:(?<=-){_NAMED}[ =]{_QUOTE}|{_NAMED}{_FOR}{_IS})(?P<value>[A-Za-z0-9+/_.~-]{{16,512}}+={{0,2}})",
        proof="random",
        folds=True,
    ),
)
"""The rules, the surest first: of two that meet, the first counts."""

PRIVATE_KEY = Rule(
    "private-key",
    _("a private key"),
    "error",
    ("PRIVATE KEY",),
    r"-----(?P<edge>BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----",
)
"""The rule for blocks of several lines; `secrets` pairs the edges."""

KEY_LINES = r"""(?:[\s\\nr"'+,|>-]{0,12}[A-Za-z0-9+/=]{16,}+)*+"""
"""What is taken for a private key behind an edge that no other one closes."""

STANDS_FOR_ONE = (
    *("example", "sample", "placeholder", "changeme", "change_me", "change-me", "your-", "your_", "yourkey"),
    *("redacted", "dummy", "fake", "masked", "hidden", "insert", "replace", "todo", "goes-here", "goes_here"),
    *("xxxx", "****", "...", "____", "…", "${", "{{", "}}"),
    # the token of the web token's own documentation
    "eyjzdwiioiixmjm0nty3odkw",
)
"""Texts (in lower case) in a value that stands for a secret and is none, of whatever rule."""

BEGINS_A_VARIABLE = ("<", "[", "{", "%", "$")

SAYS_WHERE = (
    *("vault", "keychain", "1password", "keepass", "bitwarden", "secretsmanager", "://", "get_", "getenv"),
    *("password1", "passwort1", "p@ssw0rd", "passw0rd"),
)
"""Texts (in lower case) in a value that says where a password is, or is everybody's."""

BEGINS_NO_PASSWORD = ("test", "1234", "abc123", "qwerty", "my-", "my_", "/", "~/", "./", "../", "@", "env.")

WORDS = (
    r"(?i:(?:none|null|nil|true|false|undefined|required|optional|empty|unknown|string|secret|passw(?:or)?d)\b.*"
    r"|[a-z_]\w*+(?:\.[a-z_]\w*+)++)"
    r"|[A-Z][A-Z0-9]*_[A-Z0-9_]*|[a-z]++(?:[-_][a-z0-9]++)++|\d[\d.:/T+-]*+[A-Za-z%]{0,2}"
)
"""Whole values that are words, the names of variables, dates and numbers."""

UUID = r"(?i:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
