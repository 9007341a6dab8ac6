"""Hostile pages, lines, files, zips and folders are refused with a reason or inert, in bounded time."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.errors import ImportRefused
from annotation.models import Item
from annotation.parsing.incoming import RefusedLine
from annotation.parsing.sources import BEGINNING, FileSource
from annotation.protocols.nq import formats
from tests.builders import write_lines
from tests.proofs.rigs import hostile_files, hostile_pages, mutants
from tests.proving import size

SECONDS = 10
"""CPU seconds for one page or line, whatever it contains; a real page of 4 MB takes less."""

SEED = 20118
OF_MUTANTS = 40_000
"""Bytes of the longest page or line that is mutated, since there can be many mutants."""
SHORT = 1_200_000
"""Bytes of the longest page for the command, which reads like the test above: what it adds does not depend on size."""


def page_line(name: str) -> dict[str, str]:
    return {"question_text": f"what is in {name}"[:200], "document_file": name}


def look(path: Path, **options) -> list[tuple[str, float]]:
    """The reader's verdict on each line ("" if accepted), and the CPU time it took."""
    found, at = [], time.process_time()
    try:
        for incoming in formats.read(FileSource(path, **options)):
            now = time.process_time()
            found.append((incoming.reason if isinstance(incoming, RefusedLine) else "", now - at))
            at = time.process_time()
    except ImportRefused as refused:  # of the file as a whole
        found.append((str(refused), time.process_time() - at))
    return found


def judge(names: list[str], wanted: list[str], found: list[tuple[str, float]]) -> list[str]:
    """Violations of the expected verdicts and times; prints the slowest."""
    assert len(found) == len(names)
    slowest = max(range(len(found)), key=lambda place: found[place][1])
    print(f"slowest: {names[slowest][:40]}, {found[slowest][1]:.2f} s")
    return [
        f"{name[:40]}: {reason!r} in {seconds:.1f} s"
        for name, said, (reason, seconds) in zip(names, wanted, found, strict=True)
        if seconds > SECONDS or (not re.search(said, reason) if said else reason)
    ]


def hostile_page(folder: Path, name: str) -> tuple[str, str, dict[str, Path]]:
    """A page of the rig beside the file that names it: its name, the text of its refusal, what the reader is given."""
    data, said = next((data, said) for found, data, said in hostile_pages.pages() if found == name)
    (folder / f"{name}.html").write_bytes(data)
    return f"{name}.html", said, {}


def hostile_entry(folder: Path, name: str) -> tuple[str, str, dict[str, Path]]:
    """A zip entry."""
    beside, traps = hostile_files.zip_entries(folder)
    return name, dict(traps)[name], {"beside": beside}


def hostile_name(folder: Path, name: str) -> tuple[str, str, dict[str, Path]]:
    """A file name in the folder."""
    (inside := folder / "inside").mkdir()
    return name, dict(hostile_files.traps_in_folder(inside))[name], {"beside": inside}


def read_whatever_it_names(folder: Path, path: str) -> bytes:
    return (folder / path).read_bytes()


@pytest.fixture
def hostile(request, tmp_path):
    """A folder with every hostile page (or those up to so many bytes), and the lines that name them."""
    names, wanted = [], []
    for name, data, said in hostile_pages.pages():
        if len(data) > getattr(request, "param", len(data)):
            continue
        (tmp_path / f"{name}.html").write_bytes(data)
        names.append(f"{name}.html")
        wanted.append(said)
    return names, wanted, write_lines(tmp_path / "pages.jsonl", map(page_line, names))


def test_every_hostile_page_is_refused_with_its_reason_or_inert(hostile):
    names, wanted, path = hostile
    assert judge(names, wanted, look(path)) == []


@pytest.mark.parametrize("hostile", [SHORT], indirect=True)
def test_the_command_names_every_hostile_page_by_its_line_and_accepts_the_inert_ones(nq, hostile, capsys):
    names, wanted, path = hostile
    with pytest.raises(CommandError) as refused:
        call_command("import_items", nq.slug, str(path))
    listed = Path(str(refused.value).split("All of them: ")[1]).read_text().splitlines()
    assert [line.split(",")[0] for line in listed] == [
        f"Line {number}" for number, said in enumerate(wanted, start=1) if said
    ]
    assert not Item.objects.exists()
    inert = [page_line(name) for name, said in zip(names, wanted, strict=True) if not said]
    call_command("import_items", nq.slug, str(write_lines(path.parent / "inert.jsonl", inert)))
    assert Item.objects.count() == len(inert)


def test_every_hostile_line_is_refused_with_its_reason(tmp_path):
    names, every, wanted = zip(*hostile_files.lines(), strict=True)
    path = write_lines(tmp_path / "lines.jsonl", every)
    assert judge(list(names), list(wanted), look(path)) == []


def test_packed_files_that_never_end_or_are_broken_are_refused(nq, tmp_path):
    for path, said in hostile_files.packed_files(tmp_path):
        with pytest.raises(CommandError, match=said):
            call_command("import_items", nq.slug, str(path))


def test_traps_in_a_zip_are_refused_and_a_sound_page_beside_them_is_accepted(tmp_path):
    beside, traps = hostile_files.zip_entries(tmp_path)
    traps += [("sound.html", ""), ("link.html", "is a symbolic link")]
    names, wanted = (list(each) for each in zip(*traps, strict=True))
    path = write_lines(tmp_path / "q.jsonl", map(page_line, names))
    assert judge(names, wanted, look(path, beside=beside)) == []
    for beside, said in hostile_files.broken_zips(tmp_path):
        path = write_lines(tmp_path / "q.jsonl", [page_line("page.html")])
        assert judge([beside.name], [said], look(path, beside=beside)) == []


@pytest.mark.parametrize("named", [False, True])
def test_traps_in_a_folder_are_refused(tmp_path, named):
    folder = tmp_path / "inside"
    folder.mkdir()
    names, wanted = (list(each) for each in zip(*hostile_files.traps_in_folder(folder), strict=True))
    path = write_lines((tmp_path if named else folder) / "q.jsonl", map(page_line, names))
    assert judge(names, wanted, look(path, beside=folder if named else None)) == []


def test_mutants_of_hostile_pages_and_lines_are_refused_with_a_reason_or_inert(tmp_path, record_property):
    count = size(60, 2000)
    record_property("size", count)
    record_property("seed", SEED)
    short = [data for _, data, _ in hostile_pages.pages() if len(data) < OF_MUTANTS]
    names = [f"mutant-{number}.html" for number in range(count // 2)]
    for name, data in zip(names, mutants.of_bytes(short, count=len(names), seed=SEED), strict=True):
        (tmp_path / name).write_bytes(data)
    found = look(write_lines(tmp_path / "pages.jsonl", map(page_line, names)))
    lines = [data for _, data, _ in hostile_files.lines() if len(data) < OF_MUTANTS]
    spoilt = [data.replace(b"\n", b"") or b"x" for data in mutants.of_bytes(lines, count=len(names), seed=SEED + 1)]
    # Behind a beginning that is text, or else the file would be refused whole.
    spoilt = [b" " * BEGINNING, *(data if data.strip() else b"x" for data in spoilt)]
    found += look(write_lines(tmp_path / "lines.jsonl", spoilt))
    assert len(found) == 2 * len(names)
    print(f"{sum(not reason for reason, _ in found)} of {len(found)} were taken")
    assert max(seconds for _, seconds in found) < SECONDS
    assert {type(reason) for reason, _ in found} == {str}


BOUNDS = [
    ("annotation.html.limits.BYTES_LIMIT", 2**40, hostile_page, "too-large"),
    ("annotation.html.tree.DEPTH_LIMIT", 2**40, hostile_page, "deep-blockquote"),
    ("annotation.parsing.sources.MAX_COMPRESSION_RATIO", 2**40, hostile_entry, "bomb.html"),
    (
        "annotation.parsing.sources.FileSource._from_folder",
        staticmethod(read_whatever_it_names),
        hostile_name,
        "link.html",
    ),
    ("tests.proofs.test_hostile_imports.SECONDS", 0, hostile_page, "empty"),
]


@pytest.mark.parametrize(("bound", "instead", "make", "name"), BOUNDS, ids=[each[-1] for each in BOUNDS])
def test_control_a_removed_limit_is_noticed(tmp_path, monkeypatch, bound, instead, make, name):
    named, said, options = make(tmp_path, name)
    path = write_lines(tmp_path / "q.jsonl", [page_line(named)])
    assert judge([named], [said], look(path, **options)) == []
    monkeypatch.setattr(bound, instead)
    assert judge([named], [said], look(path, **options))
