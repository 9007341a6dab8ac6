"""Large files: a broken line in the middle shows nothing and is named exactly; memory does not grow with the file."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from annotation.imports import insert, run
from annotation.models import Annotation, Document, Item, Job
from tests.builders import project, write_lines
from tests.factories.corpus import JobFactory
from tests.people import NOON
from tests.proving import size

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite_only]

LINES, PAGES = size(2_000, 100_000), 20
BROKEN = LINES // 2 + 1
SIZES = (size(6, 1000), size(12, 2000))
"""Megabytes of the two files whose memory is compared; at full size the larger has 2 GB."""
GROWTH = 10
"""Megabytes by which memory may differ."""
MOST = 600
"""Megabytes that an import may use in all."""
TEXT = "<p>" + "The keeper of the light wrote down the weather of the day. " * 25 + "</p>"


def pages():
    """Twenty short pages in files, and the constant part of the lines."""
    return {f"page-{n}.html": f"<h1>Light {n}</h1><p>Light {n} was lit in 18{n:02}.</p>" for n in range(PAGES)}


def lines(count):
    """Lines that share the twenty pages."""
    for n in range(count):
        yield {
            "question_text": f"when was light {n % PAGES} lit",
            "document_file": f"page-{n % PAGES}.html",
            "example_id": n,
        }


@pytest.fixture
def measured(fork_server, tmp_path):
    """A function: run a command in a process of its own; return what it writes, as errors too, and its peak memory."""

    def run(*words, code=0):
        child = fork_server.start("tests.proofs.rigs.measuring", *words, out=tmp_path / "said.txt")
        out = child.ended(code=code)
        return out, Path(f"{child.out}.err").read_text(), most(out)

    return run


def refusal(measured, *arguments):
    """What `import_items` says of a file that it refuses, and its peak memory in megabytes."""
    out, said, memory = measured("import_items", *arguments, code=1)
    assert out.count("\n") == 1, "nothing but the peak"
    return said, memory


def most(out):
    """The peak that a measured command printed last, in megabytes."""
    return int(re.search(r"peak (\d+) KB\n$", out)[1]) / 1024


def left_behind():
    """The tables that still have rows of a refused import."""
    return [model.__name__ for model in (Item, Annotation, Document, Job) if model.objects.exists()]


@pytest.fixture
def lights(tmp_path):
    """A project, and the folder with the twenty pages."""
    for name, text in pages().items():
        (tmp_path / name).write_text(text)
    return project("lights")


def broken_in_the_middle(folder, count):
    """Write a file of so many lines, with a broken one just after the middle; return that line's number."""
    every = list(lines(count))
    every[count // 2] = b'{"question_text": "when was light 0 lit", "document_file": nothing}'
    return write_lines(folder / "many.jsonl", every), every[count // 2]


def test_a_broken_line_in_the_middle_of_many_shows_nothing_is_named_exactly_and_takes_no_more_memory(
    measured, lights, tmp_path
):
    few, _line = broken_in_the_middle(tmp_path, LINES // 50)
    _said, little = refusal(measured, lights.slug, str(few))
    path, line = broken_in_the_middle(tmp_path, LINES)
    said, memory = refusal(measured, lights.slug, str(path))
    assert [line for line in said.splitlines() if line.startswith("Line")] == [
        f"Line {BROKEN:,}: This is not JSON: a value is missing at byte 59."
    ]
    assert line[59:66] == b"nothing"
    assert "1 line refused; nothing was imported." in said
    assert left_behind() == []
    print(f"peak memory of {LINES // 50:,} and {LINES:,} lines: {little:.0f} and {memory:.0f} MB")
    assert memory - little < GROWTH


def test_control_an_import_that_writes_as_it_reads_is_noticed(transactional_db, lights, tmp_path, monkeypatch):
    def note_and_write(made, entries, have, report):
        real(made, entries, have, report)
        lease, blobs = SimpleNamespace(renew_now=lambda: None), SimpleNamespace(read=lambda names: [])
        job = JobFactory(project=made, key="early")
        insert.insert(made, job, lease, entries, blobs, insert.ImportReport(), done=0, now=NOON)

    real = run._refuse_changed_items
    monkeypatch.setattr(run, "_refuse_changed_items", note_and_write)
    with pytest.raises(CommandError, match="nothing was imported"):
        call_command("import_items", lights.slug, str(broken_in_the_middle(tmp_path, 1000)[0]))
    assert left_behind() == ["Item", "Document", "Job"]


def long_lines(megabytes):
    """Lines of 2 KB; one in thirty has a page of its own."""
    for n in range(megabytes * 500):
        yield {"question_text": f"which keeper wrote {n}", "document_html": TEXT + str(n % 30), "example_id": n} | {
            "document_title": "x" * 400
        }


def peak(measured, megabytes, folder, *options):
    """The peak memory in megabytes of an import of that size in a process of its own."""
    path = write_lines(folder / f"{megabytes}.jsonl", long_lines(megabytes))
    assert path.stat().st_size >= megabytes * 900_000
    made = project(f"of-{megabytes}{''.join(options)}")
    _out, _said, memory = measured(*options, "import_items", made.slug, str(path))
    return memory


def test_memory_does_not_grow_with_the_size_of_the_file(measured, tmp_path, record_property):
    record_property("size", SIZES[1])
    peaks = [peak(measured, megabytes, tmp_path) for megabytes in SIZES]
    print(f"peak memory of {SIZES} MB: {peaks} MB")
    assert abs(peaks[1] - peaks[0]) < GROWTH
    assert max(peaks) < MOST


def test_control_an_import_that_keeps_what_it_read_is_noticed(measured, tmp_path):
    peaks = [peak(measured, megabytes, tmp_path, "--keep") for megabytes in (1, 24)]
    print(f"with every line kept: {peaks} MB")
    assert peaks[1] - peaks[0] > GROWTH
