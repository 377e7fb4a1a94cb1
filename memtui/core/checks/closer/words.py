"""Words that the closer look goes by, English and Chinese, as data. Pure."""

from __future__ import annotations

from memtui.late import re


def words(listed: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(listed.split())


def says(english: str, chinese: str) -> re.Pattern[str]:
    """Finds one of these phrases: patterns, one a line in English (as whole words), with blanks between in
    Chinese."""
    phrases = "|".join(line.strip() for line in english.strip().splitlines())
    return re.compile(rf"\b(?:{phrases})\b|{'|'.join(chinese.split())}", re.IGNORECASE)


GONE = says(
    r"""
    removed?|removes|removing|deleted?|deletes|deleting|gone|dropped|retired|archived|merged
    no longer|not any ?more|never existed|missing|(?:does|did|do)(?: not|n't) exist
    used to|former(?:ly)?|previous(?:ly)?|old|was|were|had
    renamed?|moved|replaced?|replaces|superseded|instead of|rather than
    obsolete|deprecated|legacy
    """,
    """
    已?删除 已?移除 删掉 去掉 不存在 不再 没有了 以前 之前的 曾 原来 原先 改名 重命名 移到 移动
    迁移 废弃 弃用 旧 取代 代替 替换 而不是 已合并 归档
    """,
)
"""Whoever says this knows that it is not there any more."""

NOT_YET = says(
    r"""
    e\.g|for (?:example|instance)|examples?|such as|like|placeholder|templates?
    would|will|shall|planned?|plans to|todo|to be (?:created|added|written)
    creat(?:e|es|ed|ing)|generat(?:e|es|ed|ing)|outputs?|writes?|written to|produces?
    if|unless|optional(?:ly)?|temporary
    never|avoid|not|do not|don't|git-?ignored|ignored
    """,
    """
    例如 比如 示例 例子 假如 如果 假设 将 会在 计划 打算 待(?:办|定|补) (?<![类区级特分性])别(?![名人的])
    生成 创建 新建 输出 写入 保存到 可选 临时 不要 避免 禁止 忽略
    """,
)
"""Whoever says this does not claim that it is there."""

ELSEWHERE = says(
    r"""
    servers?|remote(?:ly)?|containers?|docker|images?|ssh|scp|rsync|hosts?|vm|ci|runners?
    production|prod|staging|cluster|pods?|k8s|nas|raspberry|buckets?|s3
    (?:other|another|upstream|their) (?:repo(?:sitory)?|project|machine|laptop)
    on (?:the )?(?:mac|windows|laptop|phone|pi)
    endpoints?|routes?|urls?|api|http
    """,
    """
    服务器 远程 容器 镜像 线上 生产环境 生产机 测试机 虚拟机 集群
    另一个(?:仓库|项目) 别的(?:仓库|项目) 上游 接口 路由 网址
    """,
)
"""Whoever says this may speak of another machine, or of an address."""

NEW_BRANCH = says(
    r"""
    new|creat\w*|cut|open|start\w*|git checkout -b
    name[sd]?|naming|prefix\w*|conventions?|pattern|format
    """,
    "新(?:的|建|分支) 创建 命名 前缀 格式 开一个 建一个",
)
"""Whoever says this may speak of branches that are yet to be made."""

PLACEHOLDERS = words(
    """
    path to foo bar baz qux example examples xxx xx your yours my name user username you me placeholder some
    somewhere dir folder file filename module project project-name app-name yyyy mm dd yyyy-mm-dd yyyymmdd n x y
    """
)
"""Words that stand for a name; compared without the ending."""

MADE = words(
    """
    dist build out target bin obj generated vendor node_modules .venv venv env __pycache__
    coverage htmlcov tmp temp log logs cache .cache data backup backups secrets
    .next .nuxt .output .pytest_cache .mypy_cache .ruff_cache .tox .terraform .gradle
    """
)
"""Folders whose files come and go, or are in no repository."""

EXTENSIONS = words(
    """
    py pyi ts tsx js jsx mjs cjs go rs rb java kt swift c cc cpp h hpp cs php sh bash zsh fish sql proto graphql
    vue svelte lua ex exs scala clj css scss html md mdx rst txt toml yaml yml json ini cfg conf xml tf nix csv
    """
)
"""Endings of names of files that memories speak of."""

SOURCE_EXTENSIONS = words("py ts tsx js jsx mjs go rs rb java kt swift c cc cpp cs php sh sql proto vue lua ex")
"""Endings that make a single word the name of a file."""

COMMON_NAMES = words(
    """
    setup.py conftest.py manage.py __init__.py main.py app.py config.py index.ts index.js index.tsx
    main.ts main.go main.rs lib.rs mod.rs app.ts app.js server.js server.ts config.ts config.js
    next.config.js webpack.config.js vite.config.ts jest.config.js
    node.js vue.js next.js d3.js three.js express.js nuxt.js
    """
)
"""Names that are spoken of without a file in mind."""

INTERPRETERS = words("python python3 bash sh zsh node ruby perl deno tsx")
"""Programs whose first argument is a file."""

FLEETING = words("tmp var proc sys dev run mnt media net nfs afs private Volumes cygdrive snap lost+found")
"""Top folders whose contents come and go by themselves, or with a disk."""

SHARED_FOLDERS = words(".config .local .local/share .local/state Library .cache bin")
"""Folders of the home directory that are there on every machine: nothing follows for what is below them."""

BUILT_IN = words(
    """
    cd echo export source alias set unset eval exec exit test type read local let if for while then do done time
    sudo env command true false wait jobs fg bg kill history pushd popd ulimit umask trap return shift printf
    """
)
"""Words of the shell itself, which are on no PATH."""

EVERY_TIME = says(
    r"""
    always|never|every|each|daily|weekly|monthly|yearly|annual(?:ly)?|whenever|usually|often|typically
    when (?:the user|asked|someone|they|i|you) .{0,30}|if
    """,
    "每 总是 经常 通常 一般 往往 平时 的时候 如果 要是 假如",
)
"""Whoever says this gives a rule for many days."""

SAID = says(
    r"""
    words? like|phrases? like|such as|e\.g|for example|the word
    """,
    "例如 比如 之类 这样的词 说法",
)
"""Whoever says this speaks of words."""

DONE = says(
    r"""
    was|were|had|did|ran|used(?! until| by| before)|completed?|met|over
    (?<!be )(?:shipped|merged|finished|done|released|migrated|passed|extended)
    postponed|cancell?ed|closed|happened|expired|ended|moved|written|created|reported|formerly|no longer
    before .{0,20}(?:we|they|it) \w+ed
    """,
    "曾 当时 已 过了 完成了 结束了 取消 推迟 延期 不再 上线了 发布了",
)
"""Whoever says this speaks of what is over."""

RELATIVE = says(
    r"""
    yesterday|today|tomorrow|tonight|last night|day (?:before yesterday|after tomorrow)
    (?:last|next|this) (?:week(?:end)?|month|quarter|year|sprint|spring|summer|autumn|winter)
    (?:last|next|this) (?:mon|tues|wednes|thurs|fri|satur|sun)day
    (?:a|two|three|four|five|six|\d+|a few) (?:days?|weeks?|months?) ago
    (?:two|three|four|\d+) (?:days?|weeks?|months?) from now
    """,
    r"""
    昨天 昨晚 昨日 今天 今晚 今早 明天 明早 明晚 大?前天 后天 去年 明年 今年 前年 本月 [上下本]季度
    [上下本这]周(?![期边围]) [上下这]个?星期 [上下这]个?礼拜 [上下这]个月
    [一二两三四五六七八九十几\d]+(?:天|周|个月|个星期)前
    """,
)
"""Words that mean another day when they are read on another day."""

NOWADAYS = words("today 今天")
"""Words that may also mean these years."""

LAST_DAY = says(
    r"""
    due(?: date)?|deadline|no later than|not later than|valid|until|till|through|by|before
    sunset|end[- ]of[- ]life|eol|expir(?:es?|y|ation|ing)(?: date)?|closes?
    ends? on|(?:support|freeze|trial|contract|maintenance|phase) ends?
    """,
    "截止(?:日期|时间|日)? 到期(?:日|时间)? 有效期 期限 最迟 最晚 不晚于 直到",
)
"""Words that make a day behind them the last one for something."""

CIRCUMSTANCES = says(
    r"""
    local(?:ly|host)?|dev(?:elopment)?|staging|stage|prod(?:uction)?|tests?|testing|ci|docker|container
    preview|demo
    windows|mac|linux|internal|external|public|admin|metrics|health|debug|grpc|https?|tls|read|write|primary|replica
    minimum|min|maximum|max|at least|at most|default|fallback|recommended|latest
    """,
    """
    本地 开发 测试 预发 生产 线上 容器 调试 演示 内部 外部 公网 管理 最低 最高 至少 最多 默认 备用 推荐 最新
    主库 从库 前端 后端
    """,
)
"""Words for when something holds: statements under different ones do not speak of the same."""

FILLERS = words(
    """
    the a an our its this that we they it i always now currently and so then please in
    project app application code repo repository team port version
    """
)
"""Words before a name that are no part of it."""
