"""Owners' rules as data: the numbers that everything else is measured against."""

import pytest

from memtui.core.layouts.owners import AMASTER, CLAUDE, HERMES, PROFILES, ZCODE


def limits(profile):
    return {(limit.scope, limit.unit): limit.limit for limit in profile.limits}


def test_zcode_injects_200_lines_and_25000_utf16_units_and_recalls_4096_bytes():
    assert limits(ZCODE) == {
        ("inject", "lines"): 200,
        ("inject", "utf16"): 25_000,
        ("body", "lines"): 200,
        ("body", "bytes"): 4_096,
    }
    assert (ZCODE.frontmatter_lines, ZCODE.long_line_units, ZCODE.strips_comments) == (30, 200, True)
    assert {".git", "node_modules", "skills", "refs"} <= ZCODE.refused_folders


def test_claude_has_an_index_limit_and_says_what_is_not_known():
    assert limits(CLAUDE) == {("inject", "lines"): 200, ("inject", "bytes"): 25_000}
    assert CLAUDE.frontmatter_lines is None and CLAUDE.long_line_units is None
    assert any("25 KB" in sentence for sentence in CLAUDE.approximate)


@pytest.mark.parametrize(("profile", "unit"), [(AMASTER, "utf16"), (HERMES, "codepoints")])
def test_section_sign_stores_have_a_limit_for_each_file(profile, unit):
    found = {limit.group: (limit.scope, limit.unit, limit.limit) for limit in profile.limits}
    assert found == {"memory": ("write", unit, 2_200), "user": ("write", unit, 1_375)}
    assert profile.types == () and profile.index_name == "" and profile.approximate


def test_c04_amaster_waits_three_seconds_and_leaves_a_lock_alone_for_thirty():
    lock = AMASTER.lock
    assert (lock.kind, lock.name, lock.stale_s) == ("directory", "{file}.lock", 30.0)
    assert len(lock.waits_s) == 10 and lock.waits_s[0] == 0.05 and max(lock.waits_s) == 0.5
    assert 3.0 < sum(lock.waits_s) < 3.1
    assert (HERMES.lock.kind, HERMES.lock.stale_s) == ("flock", None)


def test_every_profile_has_sources_and_its_owners_name():
    for name, profile in PROFILES.items():
        assert profile.owner == name
        assert all(limit.source for limit in profile.limits)
        assert profile.lock is None or profile.lock.source


def test_facts_have_four_types_and_the_stamp_of_their_programs():
    for profile in (ZCODE, CLAUDE):
        assert profile.types == ("user", "feedback", "project", "reference")
        assert profile.stamp == ("name", "description", "metadata.node_type", "metadata.type")
