"""Repeat one command in one process until told to stop: `python -m tests.bench.again STOP WORD ...`.

The command lowers its priority as it does from a shell. `{n}` in a word is the number of the run. It ends after the run
in which the file STOP appears, and prints how many runs ended before that.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import django


def main(stop: Path, words: list[str]) -> None:
    """Repeat the command until it is told to stop."""
    django.setup()
    from django.core.management import call_command

    from annotation.management.base import NICE

    os.nice(NICE)
    done = 0
    while not stop.exists():
        call_command(*(word.format(n=done) for word in words), stdout=io.StringIO(), stderr=io.StringIO())
        done += not stop.exists()
    print(done)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
