"""A seeded corpus of sessions as pi writes them, with the mix of bytes that real ones have, for the benchmarks.

`python gen_corpus.py --out DIR [--files 2000] [--bytes 1e9] [--seed 7]`. The same for a seed, a number of files
and of bytes, and a version of numpy, however many processes work: each file has its own random numbers.

Of the bytes about 60 % are what tools gave (code, logs, listings), 15-20 % images, 9 % what agents said and
thought, 8 % arguments of tools, 1 % what people said; the rest are ids, usage and signatures. Words are as
frequent as Zipf says: 30,000 English-like ones, 60,000 identifiers, 8,000 Chinese ones (every fourth session);
logs hold hashes without end. DIR/needles.json says in how many sessions each needle stands.
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import os
import random
import time
import uuid
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy
import orjson

NEEDLES = {
    "zebrafish_quantum_cache": (100, 3),
    "PhantomLatticeResolver": (50, 7),
    "deterministic replay harness": (40, 11),
    "增量索引更新": (50, 16),
}
"""One in so many files holds it, the first of them being that number."""

COMMON = """the of to and a in is it you that for on with as this be are have not or from at by can if will all we
file function error test code line use run need change add fix return value index search session message agent memory
when then so but which there do would should could more one also only into let now me check look read write update
build server client request response data type string list key name path user config default option module import
class method call result output input state event thread process memory cache query token parse format version
because first after before while each other same new old next last like make get set see work find show start stop
instead already without between still just about them its how what why where here does did was were been has had
"""
STEMS = """get set parse build index search session message token cache query user config state event file path line
node tree list map item view panel widget render layout cursor buffer stream reader writer offset chunk batch commit
merge segment schema field value key name type kind id hash sum count size limit page scroll focus select filter sort
rank score match fuzzy prefix term phrase doc store load save open close read write append flush lock guard retry
timeout error warn debug trace log metric timer clock date time zone locale text json yaml toml html http url host
port socket client server request response header body auth login token secret env var flag option arg param default
factory builder manager handler service worker pool queue task job runner loop async await future result status
health check probe test mock stub fixture assert expect plan step phase graph edge vertex model train eval loss
tensor batch layer weight bias grad kernel device memory agent tool prompt role content image thread branch label
"""
HAN = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所"
    "民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日"
    "那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想"
    "已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指"
    "几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权"
    "收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集"
    "温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支"
    "般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属"
    "圆包火住调满县局照参红细引听该铁价严索库内存搜匹配词会话消息缓增更新代码函数错误测试"
)
ONSETS, VOWELS = "b c d f g h j k l m n p r s t v w br cl dr fl gr pl pr sh st th tr", "a e i o u ea ou"
TOOLS = ("bash", "read", "edit", "write", "grep", "find", "ls")
SIGNATURE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
LARGE_BYTES = 300_000
"""Sessions above that have images."""


def _vocabularies(seed: int) -> dict[str, list[str]]:
    """The words of each kind, the most frequent first."""
    rng = random.Random(seed * 1000 + 1)
    syllables = [
        first + vowel + last
        for first in ONSETS.split()
        for vowel in VOWELS.split()
        for last in ("", "n", "r", "s", "l", "t")
    ]
    endings = ["", "", "", "s", "ed", "ing", "er", "ly", "tion", "able", "ness", "ment"]
    words = list(dict.fromkeys(COMMON.split()))
    seen = set(words)
    while len(words) < 30_000:
        word = "".join(rng.choice(syllables) for _ in range(rng.choice((2, 2, 2, 3, 3, 4)))) + rng.choice(
            endings
        )
        if word not in seen:
            seen.add(word)
            words.append(word)
    stems, extra = list(dict.fromkeys(STEMS.split())), words[120:2500]
    names: list[str] = []
    seen = set()
    while len(names) < 60_000:
        parts = [
            rng.choice(stems) if rng.random() < 0.8 else rng.choice(extra)
            for _ in range(rng.choice((1, 2, 2, 2, 3, 3, 4)))
        ]
        name = _name(parts, rng.random())
        if name not in seen:
            seen.add(name)
            names.append(name)
    characters = list(dict.fromkeys(HAN))
    chinese = characters[:60]
    seen = set(chinese)
    while len(chinese) < 8_000:
        word = "".join(rng.choice(characters) for _ in range(rng.choice((1, 2, 2, 2, 2, 3, 4))))
        if word not in seen:
            seen.add(word)
            chinese.append(word)
    return {"words": words, "names": names, "chinese": chinese}


def _name(parts: list[str], share: float) -> str:
    """An identifier of some parts, in one of the usual ways of writing one."""
    if share < 0.45:
        return "_".join(parts)
    if share < 0.7:
        return parts[0] + "".join(part.title() for part in parts[1:])
    if share < 0.88:
        return "".join(part.title() for part in parts)
    if share < 0.93:
        return "_".join(parts).upper()
    return ("-" if share < 0.95 else ".").join(parts)


_KNOWN: dict[str, tuple[Any, Any]] = {}
"""Of each kind the words, and the share of all uses that these and those before them have."""


def _prepare(seed: int, zipf: float) -> None:
    for kind, words in _vocabularies(seed).items():
        weights = 1 / numpy.arange(1, len(words) + 1) ** zipf
        _KNOWN[kind] = numpy.array(words, dtype=object), numpy.cumsum(weights) / weights.sum()


class _Writer:
    """What one session says."""

    def __init__(self, seed: int, number: int) -> None:
        self.numbers = numpy.random.Generator(numpy.random.PCG64([seed, number]))
        self.rng = random.Random(seed * 7919 + number)
        self._drawn: dict[str, list[str]] = {}
        self._at: dict[str, int] = {}

    def words(self, kind: str, count: int) -> list[str]:
        drawn = self._drawn.get(kind)
        if drawn is None or self._at[kind] + count > len(drawn):
            words, shares = _KNOWN[kind]
            places = numpy.searchsorted(shares, self.numbers.random(max(count, 20_000)))
            drawn = self._drawn[kind] = words[places].tolist()
            self._at[kind] = 0
        first = self._at[kind]
        self._at[kind] = first + count
        return drawn[first : first + count]

    def word(self, kind: str) -> str:
        return self.words(kind, 1)[0]

    def hashed(self, digits: int) -> str:
        return f"{self.rng.getrandbits(4 * digits):0{digits}x}"

    def path(self) -> str:
        endings = (".py", ".ts", ".rs", ".go", ".md", ".json", ".tsx")
        return "/".join(self.words("names", 3)).lower() + self.rng.choice(endings)

    def sentence(self, is_chinese: bool) -> str:
        rng = self.rng
        if is_chinese:
            clauses = []
            for _ in range(rng.randint(1, 4)):
                clause = "".join(self.words("chinese", rng.randint(4, 10)))
                clauses.append(clause + f" {self.word('names')} " if rng.random() < 0.3 else clause)
            return "，".join(clauses) + "。"
        words = self.words("words", rng.randint(6, 22))
        words = [f"`{self.word('names')}`" if rng.random() < 0.06 else word for word in words]
        return " ".join(words).capitalize() + rng.choice(".....:?")

    def text(self, characters: int, is_chinese: bool) -> str:
        pieces, size = [], 0
        while size < characters:
            piece = self.sentence(is_chinese)
            size += len(piece) * (3 if is_chinese else 1)
            pieces.append(piece)
            if self.rng.random() < 0.15:
                pieces.append("\n\n")
        return " ".join(pieces)

    def code(self, characters: int) -> str:
        lines, size, rng = [], 0, self.rng
        while size < characters:
            line = self._code_line(
                self.words("names", 6), "    " * rng.choice((0, 1, 1, 2, 2, 3)), rng.random()
            )
            lines.append(line)
            size += len(line) + 1
        return "\n".join(lines)

    def _code_line(self, names: list[str], indent: str, share: float) -> str:
        one, two, three, four, five, _six = names
        if share < 0.35:
            return f"{indent}{one} = {two}({three}, {four}={self.rng.randint(0, 999)})"
        if share < 0.45:
            return f"{indent}def {one}(self, {two}: {three}, {four}=None) -> {five}:"
        if share < 0.6:
            return f"{indent}if {one}.{two} is not None and {three} > {self.rng.randint(0, 64)}:"
        if share < 0.7:
            return f"{indent}return {one}[{two}].{three}"
        if share < 0.82:
            return f"{indent}# {' '.join(self.words('words', 8))}"
        return f'{indent}"{one}": "{" ".join(self.words("words", 4))}",' if share < 0.92 else ""

    def log(self, characters: int) -> str:
        lines, size, rng = [], 0, self.rng
        second = rng.randint(0, 86_000)
        while size < characters:
            second += 1
            line = self._log_line(second, rng.random())
            lines.append(line)
            size += len(line) + 1
        return "\n".join(lines)

    def _log_line(self, second: int, share: float) -> str:
        rng = self.rng
        if share < 0.6:
            clock = f"{second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}.{rng.randint(0, 999):03d}Z"
            return (
                f"2026-0{rng.randint(1, 9)}-{rng.randint(10, 28)}T{clock} "
                f"{rng.choice(('INFO', 'DEBUG', 'WARN', 'ERROR'))} {self.word('names')} "
                f"{' '.join(self.words('words', 6))} id={self.hashed(12)} took={rng.randint(1, 9999)}ms"
            )
        if share < 0.75:
            return f'  File "{self.path()}", line {rng.randint(1, 2000)}, in {self.word("names")}'
        if share < 0.9:
            place = f"{rng.randint(1, 3000)}:{rng.randint(1, 80)}"
            return f"{self.path()}:{place}: {' '.join(self.words('words', 5))}"
        return f"-rw-r--r-- 1 user user {rng.randint(10, 999_999):8d} {self.path()}"

    def given(self) -> str:
        """What a tool gave."""
        size = int(min(50_000, max(200, self.rng.lognormvariate(math.log(3500), 1.0))))
        return self.code(size) if self.rng.random() < 0.6 else self.log(size)

    def image(self, size_bytes: int) -> dict[str, str]:
        data = base64.b64encode(self.rng.randbytes(size_bytes)).decode()
        return {"type": "image", "data": data, "mimeType": "image/png"}

    def arguments(self, tool: str) -> dict[str, str]:
        rng = self.rng
        match tool:
            case "bash":
                return {"command": f"rg -n {self.word('names')} {self.path()}"}
            case "read" | "ls":
                return {"path": self.path()}
            case "edit":
                old, new = self.code(rng.randint(80, 900)), self.code(rng.randint(80, 1100))
                return {"path": self.path(), "oldText": old, "newText": new}
            case "write":
                return {"path": self.path(), "content": self.code(rng.randint(500, 6000))}
        return {"pattern": self.word("names"), "path": self.path()}

    def usage(self) -> dict[str, Any]:
        rng = self.rng
        cost = {"input": rng.random(), "output": rng.random(), "cacheRead": rng.random(), "cacheWrite": 0}
        counts = {
            "input": rng.randint(1, 9000),
            "output": rng.randint(1, 4000),
            "cacheRead": rng.randint(0, 200_000),
            "cacheWrite": rng.randint(0, 9000),
            "totalTokens": rng.randint(1, 220_000),
        }
        return {**counts, "cost": {**cost, "total": rng.random()}}


class _Session:
    """One session file as it grows."""

    def __init__(self, file: Any, writer: _Writer, started: float) -> None:
        self.size_bytes = 0
        self.lines = 0
        self._file, self._writer = file, writer
        self._now, self._parent = started, None

    def line(self, record: dict[str, Any]) -> None:
        data = orjson.dumps(record) + b"\n"
        self._file.write(data)
        self.size_bytes += len(data)
        self.lines += 1

    def entry(self, kind: str, **keys: Any) -> None:
        entry_id = self._writer.hashed(8)
        head = {"type": kind, "id": entry_id, "parentId": self._parent, "timestamp": _iso(self._now)}
        self.line({**head, **keys})
        self._parent = entry_id

    def message(self, role: str, content: list[dict[str, Any]], **keys: Any) -> None:
        self._now += self._writer.rng.random() * 20
        message = {"role": role, "content": content, **keys, "timestamp": int(self._now * 1000)}
        self.entry("message", message=message)


def _iso(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds * 1000) % 1000:03d}Z"


Job = tuple[Path, int, int, float, float]
"""Directory, seed, number of the file, its bytes, share of images."""


def _write_one(job: Job) -> tuple[int, int]:
    """Write one session; its bytes and lines."""
    out, seed, number, target_bytes, image_share = job
    writer = _Writer(seed, number)
    rng = writer.rng
    name = "-".join(STEMS.split()[(number * 7 + place * 13) % 40] for place in range(2))
    project = f"/home/u/src/{name}-{number % 40}"
    folder = out / f"--{project.strip('/').replace('/', '-')}--"
    folder.mkdir(parents=True, exist_ok=True)
    started = 1.735e9 + number * 17_000 + rng.randint(0, 9000)
    session_id = str(uuid.UUID(int=rng.getrandbits(128)))
    path = folder / f"{_iso(started).replace(':', '-').replace('.', '-')}_{session_id}.jsonl"
    is_chinese = number % 4 == 0
    needles = [needle for needle, (every, first) in NEEDLES.items() if number % every == first]
    with open(path, "wb", buffering=1 << 20) as file:
        session = _Session(file, writer, started)
        head = {"type": "session", "version": 3, "id": session_id, "timestamp": _iso(started), "cwd": project}
        session.line(head)
        if rng.random() < 0.3:
            session.entry("session_info", name=" ".join(writer.words("words", 5)))
        is_first = True
        while session.size_bytes < target_bytes:
            text = writer.text(rng.choice((60, 150, 400, 1200)), is_chinese)
            if needles:
                needle, middle = needles.pop(), len(text) // 2
                between = "" if is_chinese and not needle.isascii() else " "
                text = f"{text[:middle]}{between}{needle}{between}{text[middle:]}"
            asked: list[dict[str, Any]] = [{"type": "text", "text": text}]
            if not is_first and target_bytes > LARGE_BYTES and rng.random() < image_share * 0.36:
                asked.append(writer.image(rng.randint(90, 210) * 1000))
            session.message("user", asked)
            is_first = False
            for _ in range(rng.choice((0, 1, 2, 3, 5, 8, 13))):
                _write_turn(session, writer, is_chinese, image_share if target_bytes > LARGE_BYTES else 0)
            answer = writer.text(rng.choice((200, 600, 1500)), is_chinese)
            session.message("assistant", [{"type": "text", "text": answer}], **_frame(writer, "stop"))
    os.utime(path, (started, started))
    return session.size_bytes, session.lines


def _frame(writer: _Writer, stop: str) -> dict[str, Any]:
    model = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5"}
    return {**model, "usage": writer.usage(), "stopReason": stop}


def _write_turn(session: _Session, writer: _Writer, is_chinese: bool, image_share: float) -> None:
    """A call of a tool, and what it gave."""
    rng = writer.rng
    said: list[dict[str, Any]] = []
    if rng.random() < 0.6:
        thought = writer.text(rng.choice((80, 200, 600)), is_chinese)
        signature = "".join(rng.choices(SIGNATURE, k=rng.choice((200, 400, 800))))
        said.append({"type": "thinking", "thinking": thought, "thinkingSignature": signature})
    if rng.random() < 0.5:
        said.append({"type": "text", "text": writer.text(rng.choice((40, 120, 300)), is_chinese)})
    tool, call_id = rng.choice(TOOLS), f"toolu_{writer.hashed(24)}"
    said.append({"type": "toolCall", "id": call_id, "name": tool, "arguments": writer.arguments(tool)})
    session.message("assistant", said, **_frame(writer, "toolUse"))
    given: list[dict[str, Any]] = [{"type": "text", "text": writer.given()}]
    if tool == "read" and rng.random() < image_share * 0.09:
        given.append(writer.image(150_000))
    more = {"toolCallId": call_id, "toolName": tool, "isError": rng.random() < 0.06}
    session.message("toolResult", given, **more)


def generate(
    out: Path,
    *,
    files: int = 2000,
    size_bytes: float = 1e9,
    seed: int = 7,
    processes: int | None = None,
    image_share: float = 0.15,
    zipf: float = 1.05,
) -> tuple[int, int]:
    """Write the corpus below `out`; how many bytes and lines it has."""
    rng = random.Random(seed)
    shares = [rng.lognormvariate(0, 1.2) for _ in range(files)]
    sizes = [min(30e6, max(6000, share * size_bytes / sum(shares))) for share in shares]
    out.mkdir(parents=True, exist_ok=True)
    jobs: list[Job] = [(out, seed, number, size, image_share) for number, size in enumerate(sizes)]
    with ProcessPoolExecutor(processes or os.cpu_count(), initializer=_prepare, initargs=(seed, zipf)) as pool:
        written = list(pool.map(_write_one, jobs, chunksize=8))
    counts = {
        needle: sum(number % every == first for number in range(files))
        for needle, (every, first) in NEEDLES.items()
    }
    (out / "needles.json").write_text(json.dumps(counts, ensure_ascii=False), encoding="utf-8")
    return sum(size for size, _lines in written), sum(lines for _size, lines in written)


def main() -> None:
    """Write a corpus by the arguments of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--bytes", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--processes", type=int)
    asked = parser.parse_args()
    size, lines = generate(
        asked.out, files=asked.files, size_bytes=asked.bytes, seed=asked.seed, processes=asked.processes
    )
    print(f"{asked.files} files, {size / 1e6:.0f} MB, {lines} lines")


if __name__ == "__main__":
    main()
