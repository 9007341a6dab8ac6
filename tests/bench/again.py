"""One command again and again in one process, until it is told to end: `python -m tests.bench.again STOP WORD ...`.

The command steps back as it does from a shell. `{n}` in a word is the number of the run. It ends after the run in which
the file STOP appears, and prints how many runs ended before that.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import django


def main(stop: Path, words: list[str]) -> None:
    """Run it until it is enough."""
    django.setup()
    from django.core.management import call_command

    from annotation.management.low_priority import NICE

    os.nice(NICE)
    done = 0
    while not stop.exists():
        call_command(*(word.format(n=done) for word in words), stdout=io.StringIO(), stderr=io.StringIO())
        done += not stop.exists()
    print(done)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
