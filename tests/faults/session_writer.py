"""A pi that goes on with its session: one open-append-close an entry, by name, as a program of its own.

    session_writer.py FILE STOP PAUSE_MS FIRST

Entries are numbered from FIRST on, each the child of the one before. It says `ready` after its first entry, and
ends when STOP exists, saying the number of its last.
"""

from __future__ import annotations

import os
import sys
import time


def main() -> None:
    path, stop, pause_s, number = sys.argv[1], sys.argv[2], float(sys.argv[3]) / 1000, int(sys.argv[4])
    while not os.path.exists(stop):
        line = (
            f'{{"type":"message","id":"{number:08x}","parentId":"{number - 1:08x}",'
            f'"timestamp":"2026-11-01T09:00:07.000Z","message":{{"role":"user","content":"line {number}"}}}}\n'
        )
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.write(descriptor, line.encode())
        os.close(descriptor)
        if number == int(sys.argv[4]):
            print("ready", flush=True)
        number += 1
        time.sleep(pause_s)
    print(number - 1, flush=True)


main()
