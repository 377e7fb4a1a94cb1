"""An agent that writes to its index and takes no lock, as a program of its own.

    agent_writer.py MODE INDEX NOTES SEED

MODE: `append` opens and writes at once, `hold` keeps the file open 2-80 ms before it writes, `truncate`
rewrites the whole file in place, `rename` writes a new one and renames it. Every line it has written goes to
the file NOTES/lines-MODE. It says `ready` on its output, and ends when NOTES/stop exists.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path


def append(index: Path, line: bytes, pause_s: float) -> None:
    with open(index, "ab", buffering=0) as file:
        time.sleep(pause_s)
        file.write(line)


def truncate(index: Path, line: bytes) -> None:
    text = index.read_bytes()
    with open(index, "wb") as file:
        file.write(text + line)


def rename(index: Path, line: bytes) -> None:
    text = index.read_bytes()
    fresh = index.with_name(".agent.new")
    fresh.write_bytes(text + line)
    os.replace(fresh, index)


def main() -> None:
    mode, index, notes, seed = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    chance = random.Random(seed)
    print("ready", flush=True)
    number = 0
    with open(notes / f"lines-{mode}", "ab", buffering=0) as written:
        while not (notes / "stop").exists():
            number += 1
            line = b"- %s line %d\n" % (mode.encode(), number)
            if mode == "append":
                append(index, line, 0)
            elif mode == "hold":
                append(index, line, chance.uniform(0.002, 0.08))
            elif mode == "truncate":
                truncate(index, line)
            else:
                rename(index, line)
            written.write(line)
            time.sleep(chance.uniform(0.001, 0.004) if mode == "append" else chance.uniform(0.003, 0.015))


main()
