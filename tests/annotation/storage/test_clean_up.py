"""The clean-up removes what refused and killed imports have left, and nothing that a row refers to."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.imports import insert, run
from annotation.models import Item
from annotation.storage import clean_up, files, store
from annotation.storage.clean_up import Removed
from frontend.celery import app
from tasks import jobs
from tests.annotation.storage.looking import indexes, leftovers, referenced, stored, unreadable
from tests.builders import PAGE, load, project, write_lines
from tests.people import NOON

pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """Stands for the end of the process."""


def pages(count, start=0):
    """Questions with a page each."""
    return [
        {"question_text": f"q{n}", "document_html": PAGE.replace("1823", str(n)), "example_id": n}
        for n in range(start, start + count)
    ]


def killed_after(into, path, batches, monkeypatch):
    """Import, and stop after so many batches of rows as a killed process does: nothing is tidied up."""
    real, left = insert.insert, [None] * batches

    def until(*args, **kwargs):
        if not left:
            raise Killed
        left.pop()
        real(*args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(insert, "insert", until)
        patched.setattr(store.Batch, "__exit__", lambda *error: None)
        with pytest.raises(Killed):
            load(into, path)


def test_a_refused_import_leaves_nothing_in_the_data_folder(nq, tmp_path, settings):
    with pytest.raises(run.LinesRefused):
        load(nq, write_lines(tmp_path / "q.jsonl", [*pages(18), b"{"]))
    left = [path.name for path in Path(settings.GOLDFINCH_DATA).rglob("*") if path.is_file()]
    assert [name for name in left if not name.endswith(".lock")] == []


def test_an_error_in_pass_one_leaves_nothing_in_the_data_folder(nq, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_refuse_changed_items", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        load(nq, write_lines(tmp_path / "q.jsonl", pages(3)))
    assert (leftovers(), stored()) == ([], set())


@pytest.mark.parametrize("batches", [0, 1, 2])
def test_objects_of_a_killed_import_that_no_row_refers_to_are_removed(nq, tmp_path, monkeypatch, batches):
    path = write_lines(tmp_path / "q.jsonl", pages(250))
    killed_after(nq, path, batches, monkeypatch)
    wanted = referenced()
    assert len(stored() - wanted) == 500 - 2 * Item.objects.count() > 0
    removed = clean_up.clean_up()
    assert removed.objects == 500 - len(wanted)
    assert (leftovers(), unreadable(), stored()) == ([], [], wanted)
    assert {path.suffix for path in indexes()} <= {store.SETTLED}
    assert clean_up.clean_up() == Removed(0, 0)


def test_an_import_resumes_after_a_clean_up(nq, tmp_path, monkeypatch):
    path = write_lines(tmp_path / "q.jsonl", pages(250))
    killed_after(nq, path, 1, monkeypatch)
    clean_up.clean_up()
    load(nq, path)
    assert Item.objects.count() == 250
    clean_up.clean_up()
    assert (leftovers(), unreadable(), len(stored())) == ([], [], 500)


def test_objects_that_another_import_found_in_the_packs_of_a_killed_one_stay(nq, tmp_path, monkeypatch):
    killed_after(nq, write_lines(tmp_path / "q.jsonl", pages(50)), 0, monkeypatch)
    load(project("other"), write_lines(tmp_path / "other.jsonl", pages(10)))
    clean_up.clean_up()
    assert (leftovers(), unreadable(), len(stored())) == ([], [], 20)


def test_packs_of_which_everything_stays_are_not_written_again(nq, tmp_path, monkeypatch):
    monkeypatch.setattr(store, "PACK_BYTES", 20_000)
    killed_after(nq, write_lines(tmp_path / "q.jsonl", pages(250)), 1, monkeypatch)
    before = {path.name for path in store.objects().paths(".pack")}
    clean_up.clean_up()
    after = {path.name for path in store.objects().paths(".pack")}
    assert len(after - before) == 1
    assert len(after & before) > 3
    assert (leftovers(), unreadable()) == ([], [])


def test_nothing_is_removed_while_an_import_is_running(nq, tmp_path, monkeypatch):
    killed_after(nq, write_lines(tmp_path / "q.jsonl", pages(5)), 0, monkeypatch)
    before = leftovers()
    with store.importing():
        assert clean_up.clean_up() is None
        with pytest.raises(CommandError, match="An import is running"):
            call_command("clean_up")
    assert leftovers() == before != []


def test_nothing_is_removed_while_an_import_of_an_earlier_version_is_running(nq, tmp_path, monkeypatch):
    killed_after(nq, write_lines(tmp_path / "q.jsonl", pages(5)), 0, monkeypatch)
    with files.alone(store.importing_lock().with_name(f"{nq.pk}.lock")):
        assert clean_up.clean_up() is None
    assert leftovers() != []


def test_the_command_says_what_it_removed(nq, tmp_path, monkeypatch, capsys):
    killed_after(nq, write_lines(tmp_path / "q.jsonl", pages(5)), 0, monkeypatch)
    call_command("clean_up")
    assert capsys.readouterr().out == "Files removed: 0. Objects removed: 10.\n"
    assert leftovers() == []


def test_a_scheduled_job_removes_them_too(nq, tmp_path, monkeypatch):
    killed_after(nq, write_lines(tmp_path / "q.jsonl", pages(5)), 0, monkeypatch)
    assert jobs.remove_leftovers.name in {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert jobs.remove_leftovers() == 10
    assert leftovers() == []
    with store.importing():
        assert jobs.remove_leftovers() == 0


def test_many_indexes_become_one_and_every_object_stays(nq, tmp_path, monkeypatch):
    monkeypatch.setattr(clean_up, "INDEXES_AT_MOST", 5)
    for number in range(6):
        load(nq, write_lines(tmp_path / f"{number}.jsonl", pages(2, start=2 * number)), clock=lambda: NOON)
    assert len(indexes()) == 6
    clean_up.clean_up()
    assert len(indexes()) == 1
    assert (leftovers(), unreadable(), len(stored())) == ([], [], 24)
