"""Large files: a broken line in the middle shows nothing and is told exactly; memory does not grow with the file."""

from __future__ import annotations

import re

import pytest

from annotation.models import Annotation, Document, Item, Job
from tests.builders import project, write_lines
from tests.proofs.children import ended, start
from tests.proving import size

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_only]

LINES, BROKEN, PAGES = 100_000, 50_001, 20
SIZES = (size(20, 1000), size(40, 2000))
"""Megabytes of the two files whose memory is compared; in full 2 GB is the larger."""
GROWTH = 10
"""Megabytes by which memory may differ."""
MOST = 600
"""Megabytes that an import may take at all."""
TEXT = "<p>" + "The keeper of the light wrote down the weather of the day. " * 25 + "</p>"


def pages():
    """Twenty short pages in files, and the lines' own part."""
    return {f"page-{n}.html": f"<h1>Light {n}</h1><p>Light {n} was lit in 18{n:02}.</p>" for n in range(PAGES)}


def lines(count):
    """Lines that share the twenty pages."""
    for n in range(count):
        yield {
            "question_text": f"when was light {n % PAGES} lit",
            "document_file": f"page-{n % PAGES}.html",
            "example_id": n,
        }


def refusal(arguments):
    """What `import_items` says of a file that it refuses."""
    child = start("manage", "import_items", *arguments)
    out, said = child.communicate()
    assert child.returncode == 1, said
    return out, said


def test_a_broken_line_in_the_middle_of_many_shows_nothing_and_is_told_exactly(transactional_db, tmp_path):
    made = project("lights")
    for name, text in pages().items():
        (tmp_path / name).write_text(text)
    every = list(lines(LINES))
    every[BROKEN - 1] = b'{"question_text": "when was light 0 lit", "document_file": nothing}'
    path = write_lines(tmp_path / "many.jsonl", every)
    out, said = refusal([made.slug, str(path)])
    assert [line for line in said.splitlines() if line.startswith("Line")] == [
        "Line 50,001: Expecting value at byte 59."
    ]
    assert every[BROKEN - 1][59:66] == b"nothing"
    assert "1 lines are refused; nothing was imported." in said
    assert out == ""
    assert not any(model.objects.exists() for model in (Item, Annotation, Document, Job))


def long_lines(megabytes):
    """Lines of 2 KB, each with a page of its own in thirty."""
    for n in range(megabytes * 500):
        yield {"question_text": f"which keeper wrote {n}", "document_html": TEXT + str(n % 30), "example_id": n} | {
            "document_title": "x" * 400
        }


def peak(megabytes, folder, *options):
    """The most memory in megabytes that an import of so many had in a process of its own."""
    path = write_lines(folder / f"{megabytes}.jsonl", long_lines(megabytes))
    assert path.stat().st_size >= megabytes * 900_000
    made = project(f"of-{megabytes}{''.join(options)}")
    said = ended(start("tests.proofs.measuring", *options, "import_items", made.slug, str(path)))
    return int(re.search(r"peak (\d+) KB", said)[1]) / 1024


def test_memory_does_not_grow_with_the_size_of_the_file(transactional_db, tmp_path, record_property):
    record_property("size", SIZES[1])
    peaks = [peak(megabytes, tmp_path) for megabytes in SIZES]
    print(f"peak memory of {SIZES} MB: {peaks} MB")
    assert abs(peaks[1] - peaks[0]) < GROWTH
    assert max(peaks) < MOST


def test_control_an_import_that_keeps_what_it_read_is_noticed(transactional_db, tmp_path):
    peaks = [peak(megabytes, tmp_path, "--keep") for megabytes in (1, 16)]
    print(f"with every line kept: {peaks} MB")
    assert peaks[1] - peaks[0] > GROWTH
