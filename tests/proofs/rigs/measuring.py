"""Run a `manage.py` command and print its peak memory: `python -m tests.proofs.rigs.measuring [--keep] ...`.

`--keep` is the control: the reader keeps every line that it has read.
"""

from __future__ import annotations

import resource
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
    """In KB, of this process or of one that it forked. For itself not `ru_maxrss`, which starts from its parent's."""
    status = Path("/proc/self/status").read_text()
    own = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


if __name__ == "__main__":
    main(sys.argv[1:])
