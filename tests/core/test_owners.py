"""Owners' rules as data: the numbers that everything else is measured against."""

from memtui.core.layouts.owners import CLAUDE, PROFILES, ZCODE


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


def test_every_profile_has_sources_four_types_and_its_owners_name():
    for name, profile in PROFILES.items():
        assert profile.owner == name
        assert profile.types == ("user", "feedback", "project", "reference")
        assert all(limit.source for limit in profile.limits)
        assert profile.stamp == ("name", "description", "metadata.node_type", "metadata.type")
