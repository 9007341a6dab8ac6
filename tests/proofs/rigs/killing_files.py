"""Fault injection: a `manage.py` command that kills itself before a given change of a file in the data folder.

`python -m tests.proofs.rigs.killing_files N ...`: N = 0 kills nothing and prints how many changes there were. A change
is a file opened for writing, a rename, a removal, or a new folder, below `objects` or `imports`.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import django

CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree"}


class Counter:
    """Counts changes, as Python's audit events report them, and kills the process before the n-th."""

    def __init__(self, point: int, folder: str) -> None:
        self.point, self.count = point, 0
        self.folders = tuple(os.path.join(folder, name) for name in ("objects", "imports"))

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        changes = event in CHANGES or (event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR))
        if changes and str(arguments[0]).startswith(self.folders):
            self.count += 1
            if self.count == self.point:
                os.kill(os.getpid(), signal.SIGKILL)


def main(point: int, arguments: list[str]) -> None:
    """Run the command under the counter."""
    django.setup()
    from django.conf import settings
    from django.core.management import execute_from_command_line

    counter = Counter(point, str(settings.GOLDFINCH_DATA))
    sys.addaudithook(counter)
    execute_from_command_line(["manage.py", *arguments])
    print(counter.count)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
