"""Several processes read the lines of a file, and what they find is what one process finds."""

from __future__ import annotations

import gzip
import zipfile

import orjson
import pytest

from annotation.imports import reading
from tests.builders import PAGE, write_lines

READER = "tests.annotation.imports.reader"
LINES = reading.ALONE + 40


def lines(count):
    """Questions with a page each; every seventh line is refused."""
    for n in range(count):
        line = {"question_text": f"q{n}", "document_html": PAGE.replace("1823", str(n)), "example_id": n}
        yield line | ({"colour": "red"} if n % 7 == 3 else {})


@pytest.fixture
def read(fork_server_of_all):
    """A function: what is printed for each line, and how many processes have read.

    The process that begins has no other threads, as pytest's may have, so that it forks for its part.
    """

    def read(path, *, cores, how="sound"):
        said = fork_server_of_all.start(READER, str(path), str(cores), how, out=path.with_name("said")).ended()
        readers = list(path.parent.glob(f"{path.name}.*"))
        for reader in readers:
            reader.unlink()
        return said.splitlines(), len(readers)

    return read


def test_several_processes_find_what_one_finds_in_the_order_of_the_file(tmp_path, read):
    path = write_lines(tmp_path / "q.jsonl", lines(LINES))
    alone, one = read(path, cores=1)
    together, several = read(path, cores=3)
    assert together == alone
    assert len(alone) == LINES
    assert (one, several) == (1, 4)


def test_a_short_file_is_read_by_one_process(tmp_path, read):
    path = write_lines(tmp_path / "q.jsonl", lines(reading.ALONE))
    assert read(path, cores=3)[1] == 1


def test_several_processes_read_the_pages_of_a_zip(tmp_path, read):
    path = write_lines(
        tmp_path / "q.jsonl", [{"question_text": f"q{n}", "document_file": f"{n}.html"} for n in range(LINES)]
    )
    with zipfile.ZipFile(tmp_path / "pages.zip", "w") as packed:
        for n in range(LINES):
            packed.writestr(f"{n}.html", PAGE.replace("1823", str(n)) + "<p>and more</p>" * 20)
    together, several = read(path, cores=3)
    assert several == 4
    assert [line for line in together if " None " not in line] == []
    assert together == read(path, cores=1)[0]


def test_if_a_process_dies_the_parent_reads_the_rest(tmp_path, read):
    path = write_lines(tmp_path / "q.jsonl", lines(LINES))
    assert read(path, cores=3, how="dying")[0] == read(path, cores=1)[0]


@pytest.mark.parametrize("cores", [1, 3])
def test_a_file_that_can_not_be_read_to_its_end_is_refused(tmp_path, read, cores):
    packed = gzip.compress(b"\n".join(map(orjson.dumps, lines(300))))
    (path := tmp_path / "q.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    assert "can't be read" in read(path, cores=cores)[0][-1]
