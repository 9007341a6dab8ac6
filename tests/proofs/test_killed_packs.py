"""Packs of imports survive kills and power cuts at any moment, and nothing that was killed stays for ever."""

from __future__ import annotations

import random
import shutil
import signal
import tarfile
from pathlib import Path

import pytest

from annotation.imports import insert
from annotation.storage import files, store
from annotation.storage.clean_up import clean_up
from tests.annotation.storage.looking import leftovers, referenced, stored, unreadable
from tests.annotation.storage.test_older_data import MADE
from tests.builders import PAGE, load, project, write_lines
from tests.proofs.rigs.power import Power
from tests.proofs.rigs.row_hashes import row_hash, shown
from tests.proving import size

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge]

LINES = 120
"""More than are read before processes are forked."""
POINTS = size(3, 100)
SEED = 20131


@pytest.fixture
def run(fork_server, tmp_path):
    """Return a function that runs a command and kills it before that change of a file (0: never)."""

    def ended(point, *words):
        child = fork_server.start("tests.proofs.rigs.killing_files", str(point), *words, out=tmp_path / "said.txt")
        return child.ended(code=-signal.SIGKILL if point else 0)

    return ended


@pytest.fixture
def questions(tmp_path):
    """A file of questions with a page each; `different(n)` is one with other pages."""

    def different(number):
        lines = [
            {"question_text": f"q{n}", "document_html": PAGE.replace("1823", f"{number}-{n}"), "example_id": n}
            for n in range(LINES)
        ]
        return write_lines(tmp_path / f"questions-{number}.jsonl", lines)

    return different


def points(last):
    """The first change, the last, and seeded ones in between."""
    drawn = random.Random(SEED).sample(range(2, last), min(POINTS, last) - 2)
    return [1, *sorted(drawn), last]


def test_an_import_killed_at_any_change_of_a_file_can_be_repeated_and_leaves_nothing(run, questions, record_property):
    record_property("size", POINTS)
    record_property("seed", SEED)
    last = int(run(0, "import_items", project("undisturbed").slug, str(questions(0))).splitlines()[-1])
    for point in points(last):
        path, made = questions(point), project(f"killed-{point}")
        whole = project(f"whole-{point}")
        run(point, "import_items", made.slug, str(path))
        assert shown(made) in (0, LINES), f"some rows show after the kill at {point} of {last}"
        if point % 2:
            assert clean_up() is not None
            assert leftovers() == [], f"after the kill at {point} of {last}"
        load(made, path)
        load(whole, path)
        assert row_hash(made) == row_hash(whole), f"other rows after the kill at {point} of {last}"
        clean_up()
        assert (leftovers(), unreadable()) == ([], []), f"after the kill at {point} of {last}"


def killed_while_inserting(into, path, monkeypatch):
    """An import that ends in the middle of its rows, as if the process had been killed."""

    def end(*args, **kwargs):
        if made:
            raise KeyboardInterrupt
        made.append(real(*args, **kwargs))

    real, made = insert.insert, []
    with monkeypatch.context() as patched:
        patched.setattr(insert, "insert", end)
        with pytest.raises(KeyboardInterrupt):
            load(into, path)


@pytest.mark.sqlite_only  # files alone are removed
def test_a_clean_up_killed_at_any_change_loses_nothing_and_the_next_one_finishes(run, questions, monkeypatch):
    killed_while_inserting(project("first"), questions(1), monkeypatch)
    last = int(run(0, "clean_up").splitlines()[-1])
    for point in points(last):
        killed_while_inserting(project(f"killed-{point}"), questions(point + 1), monkeypatch)
        assert leftovers() != []
        run(point, "clean_up")
        assert unreadable() == [], f"after the kill at {point} of {last}"
        clean_up()
        assert (leftovers(), unreadable()) == ([], []), f"after the kill at {point} of {last}"


@pytest.mark.in_test_all(
    shown_by="tests/annotation/storage/test_older_data.py"
    "::test_every_page_moves_into_packs_and_a_release_is_rebuilt_byte_for_byte"
)
@pytest.mark.sqlite_only  # files alone are moved
def test_a_move_of_older_files_killed_at_any_change_loses_nothing_and_the_next_one_finishes(run, settings, tmp_path):
    with tarfile.open(MADE) as packed:
        packed.extractall(tmp_path / "older", filter="data")
    folder, last = Path(settings.GOLDFINCH_DATA) / "objects", None
    point = 0
    while last is None or point < last:
        point += 1 if last is not None else 0
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tmp_path / "older" / "objects", folder)
        wanted = {path.name for kind in ("document", "layout") for path in (folder / kind).rglob("*/*")}
        said = run(point, "migrate", "--verbosity", "0")
        last = last or int(said.splitlines()[-1])
        loose = {path.name for kind in ("document", "layout") for path in (folder / kind).rglob("*/*")}
        assert stored() | loose == wanted, f"after the kill at {point} of {last}"
        if point:
            run(0, "migrate", "--verbosity", "0")
        assert (stored(), sorted(path.suffix for path in folder.iterdir() if path.is_dir())) == (wanted, [])


def after_a_power_cut(monkeypatch, into, path):
    """Import; return what can't be read if only that is left which was durable before the first row was inserted."""

    def stop_recording(*args, **kwargs):
        power.recording = False
        real(*args, **kwargs)

    real, power = insert.insert, Power()
    with monkeypatch.context() as patched, power.on():
        patched.setattr(insert, "insert", stop_recording)
        load(into, path)
    power.cut(store.objects().folder)
    assert len(referenced()) == 2 * LINES
    return unreadable()


def test_every_object_is_durable_before_the_first_row_refers_to_it(nq, questions, monkeypatch):
    monkeypatch.setattr(store, "PACK_BYTES", 50_000)
    assert after_a_power_cut(monkeypatch, nq, questions(0)) == []


@pytest.mark.parametrize("without", ["packs", "names"])
def test_control_a_pack_that_is_not_synced_is_noticed(nq, questions, monkeypatch, without):
    if without == "packs":
        monkeypatch.setattr(store.Batch, "_close", lambda batch: batch._file and batch._file.flush())
    else:
        monkeypatch.setattr(files, "sync", lambda path: None)
    assert len(after_a_power_cut(monkeypatch, nq, questions(0))) == 2 * LINES
