"""Words that the closer look goes by, English and Chinese, as data. Pure."""

from __future__ import annotations

import re


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
    somewhere dir folder file filename module project project-name app-name yyyy mm dd n x y
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

FLEETING = words("tmp var proc sys dev run mnt media private Volumes cygdrive snap lost+found")
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
