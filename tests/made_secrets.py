"""Secrets for tests, put together here so that no file of the repository holds one in one piece."""

from __future__ import annotations

import random
import string

_LOT = random.Random(20261130)
_ALL = string.ascii_letters + string.digits


def drawn(count: int, signs: str = _ALL) -> str:
    """So many signs, the same in every run, digits and letters among them."""
    return "".join(_LOT.choice(signs) for _ in range(count - 4)) + "a1B2"[: count if count < 4 else 4]


GITHUB = "gh" + "p_" + drawn(36)
AWS = "AK" + "IA" + drawn(16, string.ascii_uppercase + "234567").upper()
ANTHROPIC = "sk-" + "ant-api03-" + drawn(80)
OPENAI = "sk-" + "proj-" + drawn(80)
GOOGLE = "AI" + "za" + drawn(35)
STRIPE = "sk_" + "live_" + drawn(24)
NPM = "np" + "m_" + drawn(36)
PYPI = "py" + "pi-AgEIcHlwaS5vcmc" + drawn(60)
GITLAB = "gl" + "pat-" + drawn(20)
SLACK = "xo" + "xb-" + drawn(12, string.digits) + "-" + drawn(24)
JWT = ".".join(("ey" + "J" + drawn(20), "ey" + "J" + drawn(40), drawn(43)))
BEARER = drawn(40)
HEX = "".join(_LOT.choice("0123456789abcdef") for _ in range(40))
KEY_BODY = "\n".join((drawn(64), drawn(64), drawn(20)))
KEY = f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{KEY_BODY}\n-----END RSA {'PRIVATE'} KEY-----"
PASSWORD = "hunter" + "2"
