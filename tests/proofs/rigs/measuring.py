"""Run a `manage.py` command and print its peak memory: `python -m tests.proofs.rigs.measuring [--keep] ...`.

`--keep` is the control: the reader keeps every line that it has read.
"""

from __future__ import annotations

import sys
from pathlib import Path

import django


def keep_lines() -> None:
    """The wrong build: what was read stays in memory."""
    from annotation.parsing.sources import FileSource

    real, kept = FileSource.lines, []

    def lines(source: FileSource):
        for number, line in real(source):
            kept.append(line)
            yield number, line

    FileSource.lines = lines


def main(arguments: list[str]) -> None:
    """Run the command and print its peak."""
    django.setup()
    from django.core.management import execute_from_command_line

    if arguments[0] == "--keep":
        keep_lines()
        arguments = arguments[1:]
    try:
        execute_from_command_line(["manage.py", *arguments])
    finally:
        print(f"peak {peak()} KB")


def peak() -> int:
    """In KB. Not `ru_maxrss`, which starts from what the parent had when it started this process."""
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))


if __name__ == "__main__":
    main(sys.argv[1:])
