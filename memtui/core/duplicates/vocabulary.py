"""The words that decide whether two alike texts say the same: data, in English and Chinese.

Each list is for a comparison of what differs between two texts. A word that is missing here makes an alarm
more, or less, likely; it never changes anything on disk.
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FILLERS: Final = frozenset(
    _words(
        """
        a an the is are was were be been am it its this that these those there here to of in on at for
        from by as and or so but with we you i he she they me us them our your my their his her should
        must shall will would can could may might do does did has have had please always just also very
        really any all each every which who what when where how if then than into onto about up out
        over per via use using used
        """
    )
)
"""Words that carry no meaning of their own when a text is compared."""

NEGATIONS: Final = frozenset(
    _words(
        """
        not no never none nothing neither nor without cannot avoid except unless off don't doesn't
        didn't won't can't isn't aren't wasn't shouldn't mustn't wouldn't couldn't hasn't haven't dont
        doesnt cant wont instead rather forbid forbidden prohibit ban banned lest
        """
    )
)
"""Words that turn a sentence over: one more on one side and the texts say different things."""

DIRECTIONS: Final = frozenset(
    _words(
        """
        before after not over instead rather than then into onto from to until above below under unlike
        -> → >
        """
    )
)
"""Words whose two sides must not be exchanged: `lint before tests`, `tabs, not spaces`."""

ORDERS: Final = frozenset(_words("order priority sequence precedence 顺序 次序 依次"))
"""Words that say that what follows stands in an order."""

UNITS: Final = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds", "毫秒"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒", "秒钟"), "s"),
    **dict.fromkeys(("min", "mins", "minute", "minutes", "分钟"), "min"),
    **dict.fromkeys(("h", "hour", "hours", "小时"), "h"),
    **dict.fromkeys(("d", "day", "days", "天", "日"), "d"),
    **dict.fromkeys(("w", "week", "weeks", "周", "星期"), "w"),
    **dict.fromkeys(("month", "months", "个月"), "mo"),
    **dict.fromkeys(("year", "years", "年"), "y"),
    **dict.fromkeys(("b", "byte", "bytes", "字节"), "b"),
    **dict.fromkeys(("k", "kb", "kib"), "kb"),
    **dict.fromkeys(("mb", "mib"), "mb"),
    **dict.fromkeys(("gb", "gib"), "gb"),
    **dict.fromkeys(("tb", "tib"), "tb"),
    **dict.fromkeys(("line", "lines", "行"), "line"),
    **dict.fromkeys(("%", "percent"), "%"),
}
"""What may stand behind a number as part of it, by its spellings."""

NUMBERS: Final = {
    **{
        word: str(value)
        for value, word in enumerate(_words("zero one two three four five six seven eight nine ten"))
    },
    "twelve": "12",
    "twice": "2",
    "once": "1",
}
"""Numbers as words."""

IDEOGRAPH_NUMBERS: Final = {
    "零": "0",
    "一": "1",
    "二": "2",
    "两": "2",
    "三": "3",
    "四": "4",
    "五": "5",
    "六": "6",
    "七": "7",
    "八": "8",
    "九": "9",
    "十": "10",
}

COUNTED: Final = "个次天周月年行条人秒倍点号种位遍名台份页分小星"
"""Characters that follow a Chinese number which counts something."""

CONTRASTS: Final[tuple[tuple[tuple[str, ...], ...], ...]] = (
    (
        ("production", "prod", "live", "生产", "线上", "正式"),
        ("staging", "stage", "preprod", "预发", "预生产"),
        ("test", "tests", "testing", "qa", "测试"),
        ("development", "dev", "开发"),
        ("local", "localhost", "本地"),
        ("remote", "远程", "远端"),
    ),
    (("main",), ("master",), ("develop",), ("release",)),
    (("true",), ("false",)),
    (("may", "might", "optional", "可以"), ("must", "shall", "required", "必须")),
    (("yes",), ("no",)),
    (
        ("enable", "enabled", "enables", "启用", "开启", "打开"),
        ("disable", "disabled", "disables", "禁用", "关闭"),
    ),
    (("allow", "allowed", "allows", "允许"), ("deny", "denied", "forbid", "forbidden", "禁止", "严禁")),
    (("before", "之前", "以前"), ("after", "之后", "以后")),
    (("left", "左"), ("right", "右")),
    (("first", "首先"), ("last", "最后"), ("second",), ("third",)),
    (("min", "minimum", "least", "至少", "最少", "最小"), ("max", "maximum", "most", "至多", "最多", "最大")),
    (("more", "above", "over", "大于", "高于", "超过"), ("less", "below", "under", "fewer", "小于", "低于")),
    (("client", "客户端"), ("server", "服务端", "服务器")),
    (("frontend", "前端"), ("backend", "后端")),
    (("read", "读取", "只读"), ("write", "写入")),
    (("input", "输入"), ("output", "输出")),
    (("upload", "上传"), ("download", "下载")),
    (("start", "begin", "启动", "开始"), ("stop", "end", "finish", "停止", "结束")),
    (("add", "create", "添加", "创建"), ("remove", "delete", "删除", "移除")),
    (("open",), ("close", "closed")),
    (("public", "公开"), ("private", "私有")),
    (("light", "浅色"), ("dark", "深色")),
    (("big", "large", "long"), ("small", "short")),
    (("new", "新"), ("old", "旧")),
    (("fast",), ("slow",)),
    (("tabs", "tab"), ("spaces", "space")),
    (("single", "单引号"), ("double", "双引号")),
    (
        ("daily", "每天", "每日"),
        ("weekly", "每周"),
        ("monthly", "每月"),
        ("hourly", "每小时"),
        ("yearly", "每年"),
    ),
    (("morning", "上午", "早上"), ("afternoon", "下午"), ("evening", "晚上", "night")),
    (("likes", "like", "prefers", "prefer", "wants", "喜欢"), ("dislikes", "dislike", "hates", "hate", "讨厌")),
    (
        ("monday", "mondays", "周一", "星期一"),
        ("tuesday", "tuesdays", "周二", "星期二"),
        ("wednesday", "wednesdays", "周三", "星期三"),
        ("thursday", "thursdays", "周四", "星期四"),
        ("friday", "fridays", "周五", "星期五"),
        ("saturday", "saturdays", "周六", "星期六"),
        ("sunday", "sundays", "周日", "星期日"),
    ),
    tuple(
        (month,)
        for month in _words(
            """
            january february march april may june july august september october november december
            """
        )
    ),
    (("user",), ("admin", "root", "administrator", "管理员")),
    (("linux",), ("macos", "mac"), ("windows",)),
    (("english", "英文", "英语"), ("chinese", "中文", "汉语"), ("german",), ("french",), ("日语", "japanese")),
    (("http",), ("https",)),
    (("merge",), ("rebase",), ("squash",)),
    (("json",), ("yaml", "yml"), ("toml",), ("xml",), ("csv",)),
    (("npm",), ("yarn",), ("pnpm",), ("bun",)),
    (("pip",), ("uv",), ("poetry",), ("conda",)),
    (("mysql",), ("postgres", "postgresql"), ("sqlite",), ("mongodb",), ("redis",)),
    (("python",), ("rust",), ("go", "golang"), ("java",), ("typescript",), ("javascript",)),
)
"""Groups of alternatives, each with its spellings: different ones of a group are different statements."""

CJK_NEGATIONS: Final = _words(
    """
    从不 绝不 决不 永不 不要 不能 不得 不可 不许 不准 不会 不用 不再 不必 不需 没有 无需 无须 禁止
    严禁 避免 而不是 不是 不 没 勿 别 未 无 非 ない ません 않 금지
    """
)

CJK_PLAIN: Final = _words(
    """
    不过 不仅 不但 不同 不论 不管 不断 不久 不少 不如 差不多 不错 对不起 特别 区别 级别 类别 分别
    别的 别人 别名 用户 会议 社会 重要 主要 要求 目的 未来 无论 非常 并非常 是否 是不是
    """
)
"""Chinese words that hold a character of a negation and are none."""

CJK_DIRECTIONS: Final = ("之前", "之后", "以前", "以后", "而不是", "优先于", "高于", "低于", "不是", "再", "比")

CJK_FILLERS: Final = _words(
    """
    应该 应当 必须 务必 一定 总是 始终 一律 请 的 了 是 着 要 都 会 应 需要 使用 用 です ます
    します
    """
)


def alternatives() -> dict[str, tuple[int, int]]:
    """Every spelling of a contrast, with the number of its group and of its alternative there."""
    found: dict[str, tuple[int, int]] = {}
    for number, group in enumerate(CONTRASTS):
        for position, spellings in enumerate(group):
            for spelling in spellings:
                found.setdefault(spelling, (number, position))
    return found
