"""The table behind `threats`: what each scanner looks for, in the order in which it reports.

Every row is written from the description of what it catches (entries sheet 9), in lower case; `{s}` is a
character of white space. A column that is None has no such row; `newer` is Hermes after 0.19 where it differs.
"""

from __future__ import annotations

from typing import Literal

from memtui.late.dataclasses import dataclass

Scope = Literal["all", "context", "strict"]

SPACE = "[\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"  # JavaScript's \s


@dataclass(frozen=True, slots=True)
class Gap:
    """What may stand between two pieces: `unlimited` for amaster, `bounded` for Hermes, as expressions.

    `is_words`: whole words with white space behind each, so that the next piece begins where a word begins;
    otherwise it may begin anywhere in the gap. `skips`: so many characters at least.
    """

    unlimited: str
    bounded: str
    is_words: bool = False
    skips: int = 0


Recipe = tuple[str | Gap, ...]

_LINE_ENDS = "\n\r\u2028\u2029"
WORDS = Gap(r"(?:\w++{s}++)*+", r"(?:\w++{s}++){0,8}+", is_words=True)
UP_TO_3_WORDS = Gap(r"(?:\w++{s}++){0,3}+", r"(?:\w++{s}++){0,3}+", is_words=True)
LINE = Gap(f"[^{_LINE_ENDS}]*+", r"[^\n]{0,2048}+")
COMMENT = Gap("[^>]*+", "[^>]{0,512}+")
TAG = Gap(r"[\s\S]*+", "[^>]{0,2048}+")
PHRASE = Gap(f"{{s}}*+[^{_LINE_ENDS}]*+{{s}}*+", r"{s}*+[^\n]{0,512}+{s}*+", skips=1)
SENTENCE = Gap(f"{{s}}*+[^{_LINE_ENDS}]*+{{s}}*+", r"{s}*+[^\n]{0,2048}+{s}*+", skips=1)
"""A part of a line with blanks around it: the piece before takes one blank, the piece behind looks back."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One row: `amaster` and `hermes` are recipes or None, `newer` None = as `hermes`."""

    id: str
    scope: Scope
    amaster: Recipe | None
    hermes: Recipe | None
    newer: Recipe | None = None

    def recipe(self, scanner: str) -> Recipe | None:
        """The recipe of a scanner's column, None where that scanner has no such row."""
        if scanner == "amaster":
            return self.amaster
        return self.newer if scanner == "hermes_newer" and self.newer is not None else self.hermes


def _both(pattern_id: str, scope: Scope, *recipe: str | Gap) -> Pattern:
    return Pattern(pattern_id, scope, recipe, recipe)


_CHANGES = "(?:update|modify|edit|write|change|append|add{s}+to){s}+"
_COMMENT_WORDS = "(?:ignore|override|system|secret|hidden)"
_SECRET_NAMES = "key|token|secret|password|credential"
_SECRET_ANYWHERE = rf"\$\{{?\w*(?:{_SECRET_NAMES}|api)"
_SECRET_AT_END = rf"\$\{{?\w*(?:{_SECRET_NAMES})(?!\w)"
_AND_RUN = "and{s}+(?:execute|run|eval)"
_AGENT_NAMES = "claude|codex|hermes|agent|openai|anthropic"
_TOOLS = "cobalt{s}*strike|sliver|havoc|mythic|metasploit|brainworm"


def _home(path: str) -> str:
    return rf"(?:\$home|~)/\.{path}"


def _exfil(command: str) -> Pattern:
    start = command + "{s}+"
    anywhere = (start, LINE, _SECRET_ANYWHERE)
    return Pattern(f"exfil_{command}", "all", anywhere, anywhere, (start, LINE, _SECRET_AT_END))


PATTERNS: tuple[Pattern, ...] = (
    _both(
        "prompt_injection",
        "all",
        "ignore{s}+",
        WORDS,
        "(?:previous|all|above|prior){s}+",
        WORDS,
        "instructions",
    ),
    _both("sys_prompt_override", "all", "system{s}+prompt{s}+override"),
    _both(
        "disregard_rules",
        "all",
        "disregard{s}+",
        WORDS,
        "(?:your|all|any){s}+",
        WORDS,
        "(?:instructions|rules|guidelines)",
    ),
    _both(
        "bypass_restrictions",
        "all",
        "act{s}+as{s}+(?:if|though){s}+",
        WORDS,
        "you{s}+",
        WORDS,
        "(?:have{s}+no|don't{s}+have){s}+",
        WORDS,
        "(?:restrictions|limits|rules)",
    ),
    Pattern(
        "html_comment_injection",
        "all",
        ("<!--", COMMENT, _COMMENT_WORDS, COMMENT, "-->"),
        ("<!--", COMMENT, _COMMENT_WORDS, COMMENT, "-->"),
        ("<!--", COMMENT, f"(?<![a-z]){_COMMENT_WORDS}(?![a-z])", COMMENT, "-->"),
    ),
    _both(
        "hidden_div",
        "all",
        "<{s}*div{s}+style{s}*={s}*[\"']",
        TAG,
        "display{s}*:{s}*none",
    ),
    Pattern(
        "translate_execute",
        "all",
        ("translate{s}", PHRASE, "(?<={s})into{s}", PHRASE, "(?<={s})" + _AND_RUN),
        ("translate{s}", PHRASE, "(?<={s})into{s}", PHRASE, "(?<={s})" + _AND_RUN),
        ("translate{s}", PHRASE, "(?<={s})into{s}+", UP_TO_3_WORDS, _AND_RUN),
    ),
    _both("deception_hide", "all", "do{s}+not{s}+", WORDS, "tell{s}+", WORDS, "the{s}+user"),
    _both("role_hijack", "context", "you{s}+are{s}+", WORDS, "now{s}+(?:a|an|the){s}+"),
    _both("role_pretend", "context", "pretend{s}+", WORDS, "(?:you{s}+are|to{s}+be){s}+"),
    _both("leak_system_prompt", "context", "output{s}+", WORDS, "(?:system|initial){s}+prompt"),
    _both(
        "remove_filters",
        "context",
        "(?:respond|answer|reply){s}+without{s}+",
        WORDS,
        "(?:restrictions|limitations|filters|safety)",
    ),
    _both("fake_update", "context", "you{s}+have{s}+been{s}+", WORDS, "(?:updated|upgraded|patched){s}+to"),
    _both("identity_override", "context", r"\bname{s}+yourself{s}+\w"),
    _both("c2_node_registration", "context", "register{s}++(?:as{s}++)?+(?:a{s}*+)?+node"),
    _both("c2_heartbeat", "context", "(?:heartbeat|beacon|check(?:-|{s})?in){s}+(?:to|with){s}+"),
    _both("c2_task_pull", "context", r"pull{s}+(?:down{s}+)?(?:new{s}+)?task(?:s|ing)?\b"),
    _both("c2_network_connect", "context", r"connect{s}+to{s}+the{s}+network\b"),
    _both(
        "forced_action",
        "context",
        r"you{s}+must{s}+(?:\w+{s}+){0,3}(?:register|connect|report|beacon)\b",
    ),
    _both("anti_forensic_oneliner", "context", r"only{s}+use{s}+one(?:-|{s})?liners?\b"),
    _both(
        "anti_forensic_disk",
        "context",
        "never{s}+",
        WORDS,
        "(?:create|write){s}+",
        WORDS,
        "(?:script|file){s}+",
        WORDS,
        "disk",
    ),
    Pattern(
        "env_var_unset_agent",
        "context",
        (rf"unset{{s}}+\w*(?:{_AGENT_NAMES}|pi)",),
        (rf"unset{{s}}+\w*(?:{_AGENT_NAMES})",),
    ),
    Pattern("known_c2_framework", "context", (rf"\b(?:{_TOOLS}|praxis)\b",), (rf"\b(?:{_TOOLS})\b",)),
    _both("c2_explicit", "context", r"\bc2{s}+(?:server|channel|infrastructure|beacon)\b"),
    _both("c2_explicit_long", "context", r"\bcommand{s}+and{s}+control\b"),
    _exfil("curl"),
    _exfil("wget"),
    _both(
        "read_secrets",
        "all",
        "cat{s}+",
        LINE,
        r"(?:\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)",
    ),
    _both(
        "send_to_url",
        "strict",
        "(?:send|post|upload|transmit){s}",
        SENTENCE,
        "(?<={s})(?:to|at){s}+https?://",
    ),
    _both(
        "context_exfil",
        "strict",
        "(?:include|output|print|share){s}+",
        WORDS,
        "(?:conversation|chat{s}+history|previous{s}+messages|full{s}+context|entire{s}+context)",
    ),
    _both("ssh_backdoor", "strict", "authorized_keys"),
    _both("ssh_access", "strict", _home("ssh")),
    Pattern("pi_env", "strict", (_home(r"pi/\.env"),), None),
    Pattern("hermes_env", "strict", None, (_home(r"hermes/\.env"),)),
    _both(
        "agent_config_mod",
        "strict",
        _CHANGES,
        LINE,
        r"(?:agents\.md|claude\.md|\.cursorrules|\.clinerules)",
    ),
    Pattern("hermes_config_mod", "strict", None, (_CHANGES, LINE, r"\.hermes/(?:config\.yaml|soul\.md)")),
    _both(
        "hardcoded_secret",
        "strict",
        "(?:api[_-]?key|token|secret|password){s}*[=:]{s}*[\"'][a-z0-9+/=_-]{20,}",
    ),
)
"""All rows, in the order of the owners' tables."""
