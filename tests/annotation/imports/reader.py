"""In a process of its own: read the lines of a file as an import does, and print what was found of each.

`python -m tests.annotation.imports.reader FILE CORES sound|dying`; each process that reads leaves a file named by its
number beside it, and one of several that is to die does so at line 120.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from annotation import registry
from annotation.errors import ImportRefused
from annotation.imports import reading
from annotation.parsing.sources import FileSource
from annotation.processes import forked_pool


def main(path: Path, cores: int, *, dying: bool) -> None:
    """Read with so many cores."""
    mine, real = os.getpid(), reading.spool.line_of

    def line_of(item, *args, **kwargs):
        path.with_name(f"{path.name}.{os.getpid()}").touch()
        if dying and item.line == 120 and os.getpid() != mine:
            os._exit(1)
        return real(item, *args, **kwargs)

    forked_pool._cores = lambda: cores
    reading.spool.line_of = line_of
    pages = path.with_name("pages.zip")
    source = FileSource(path, beside=pages if pages.exists() else None)
    try:
        for found in reading.read(registry.get("nq"), source):
            print(found.line, found.refused, found.notes, hashlib.sha256(found.text).hexdigest())
    except ImportRefused as refused:
        print(refused)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), dying=sys.argv[3] == "dying")
