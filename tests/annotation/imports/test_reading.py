"""Several processes read the lines of a file, and what they find is what one process finds."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zipfile

import orjson
import pytest

from annotation.imports import reading
from tests.builders import PAGE, write_lines
from tests.site import CHECKOUT

CODE = """
import hashlib, os, sys, django; django.setup()
from pathlib import Path
from annotation import registry
from annotation.errors import ImportRefused
from annotation.imports import reading
from annotation.parsing.sources import FileSource
from annotation.processes import forked_pool
from annotation.protocols.nq import formats
forked_pool._cores = lambda: int(sys.argv[2])
mine, real = os.getpid(), reading.spool.line_of
def line_of(item, *args, **kwargs):
    open(f"{sys.argv[1]}.{os.getpid()}", "w").close()
    if sys.argv[3] == "dying" and item.line == 150 and os.getpid() != mine: os._exit(1)
    return real(item, *args, **kwargs)
reading.spool.line_of = line_of
pages = Path(sys.argv[1]).with_name("pages.zip")
source = FileSource(Path(sys.argv[1]), beside=pages if pages.exists() else None)
try:
    for found in reading.read(registry.get("nq"), source):
        print(found.line, found.refused, found.notes, hashlib.sha256(found.text).hexdigest())
except ImportRefused as refused: print(refused)
"""


def lines(count):
    """Questions with a page each; every seventh line is refused."""
    for n in range(count):
        line = {"question_text": f"q{n}", "document_html": PAGE.replace("1823", str(n)), "example_id": n}
        yield line | ({"colour": "red"} if n % 7 == 3 else {})


def read(path, *, cores, how="sound"):
    """What is printed for each line, and how many processes have read."""
    command = [sys.executable, "-c", CODE, str(path), str(cores), how]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    readers = list(path.parent.glob(f"{path.name}.*"))
    for reader in readers:
        reader.unlink()
    return done.stdout.splitlines(), len(readers)


def test_several_processes_find_what_one_finds_in_the_order_of_the_file(tmp_path):
    path = write_lines(tmp_path / "q.jsonl", lines(300))
    alone, one = read(path, cores=1)
    together, several = read(path, cores=3)
    assert together == alone
    assert len(alone) == 300
    assert (one, several) == (1, 4)


def test_a_short_file_is_read_by_one_process(tmp_path):
    path = write_lines(tmp_path / "q.jsonl", lines(reading.ALONE))
    assert read(path, cores=3)[1] == 1


def test_several_processes_read_the_pages_of_a_zip(tmp_path):
    path = write_lines(
        tmp_path / "q.jsonl", [{"question_text": f"q{n}", "document_file": f"{n}.html"} for n in range(300)]
    )
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as packed:
        for n in range(300):
            packed.writestr(f"{n}.html", PAGE.replace("1823", str(n)) + "<p>and more</p>" * 20)
    together, several = read(path, cores=3)
    assert several == 4
    assert [line for line in together if " None " not in line] == []
    assert together == read(path, cores=1)[0]


def test_if_a_process_dies_the_parent_reads_the_rest(tmp_path):
    path = write_lines(tmp_path / "q.jsonl", lines(300))
    assert read(path, cores=3, how="dying")[0] == read(path, cores=1)[0]


@pytest.mark.parametrize("cores", [1, 3])
def test_a_file_that_can_not_be_read_to_its_end_is_refused(tmp_path, cores):
    packed = gzip.compress(b"\n".join(map(orjson.dumps, lines(300))))
    (path := tmp_path / "q.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    assert "can't be read" in read(path, cores=cores)[0][-1]
