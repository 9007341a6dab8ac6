"""Imports that were killed, corrected or repeated: what is visible, what is adopted, and what the job's row says."""

from __future__ import annotations

import re

import pytest

from annotation.errors import ImportRefused
from annotation.html import ptb_tokenizer
from annotation.imports import insert, run
from annotation.models import Item, ItemDocument, Job
from tasks.engine import queues
from tests.builders import PAGE, load, project, questions, write_lines


def kill_in_pass_two(project, path, monkeypatch, *, batch=2):
    """Import until the transaction of that batch would begin."""
    real, calls = insert._insert, []

    def killed(*args, **kwargs):
        calls.append(1)
        if len(calls) == batch:
            raise KeyboardInterrupt
        return real(*args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(insert, "_insert", killed)
        with pytest.raises(KeyboardInterrupt):
            load(project, path)


def shown():
    return Item.objects.filter(queues.visible())


def test_importing_the_same_file_again_adopts_its_rows(nq, tmp_path):
    path = write_lines(tmp_path / "q.jsonl", questions(5))
    load(nq, path)
    before = Job.objects.values().get()
    again = load(nq, path)
    assert (again.items, again.adopted) == (0, 5)
    assert Item.objects.count() == 5
    assert Job.objects.values().get() == before


def test_a_page_keeps_the_words_with_which_it_came_in_when_it_is_imported_again(nq, tmp_path, monkeypatch):
    [line] = questions(1)
    page = PAGE.replace("a tower on a reef", "ภาษาไทยง่ายมาก")
    path = write_lines(tmp_path / "q.jsonl", [line | {"document_html": page}])
    with monkeypatch.context() as older:
        older.setattr(ptb_tokenizer, "BY_DICTIONARY", re.compile("(?!)"))
        load(nq, path)
    before = ItemDocument.objects.values().get()
    other = write_lines(tmp_path / "again.jsonl", [line | {"document_html": page}, *questions(2)[1:]])
    again = load(nq, other)
    assert (again.items, again.adopted, again.refused) == (1, 1, [])
    assert ItemDocument.objects.values().filter(item__external_id=line["example_id"]).get() == before
    changed = write_lines(tmp_path / "changed.jsonl", [line | {"document_html": page.replace("1823", "1824")}])
    with pytest.raises(ImportRefused):
        load(nq, changed)


def test_a_longer_file_adds_its_items_and_adopts_the_others(nq, tmp_path):
    load(nq, write_lines(tmp_path / "q.jsonl", questions(5)))
    longer = load(nq, write_lines(tmp_path / "longer.jsonl", questions(8)))
    assert (longer.items, longer.adopted) == (3, 5)


def test_an_import_killed_in_pass_two_shows_nothing_and_is_resumed(nq, tmp_path, monkeypatch):
    path = write_lines(tmp_path / "q.jsonl", questions(250))
    kill_in_pass_two(nq, path, monkeypatch)
    assert Item.objects.count() == 100
    assert not shown().exists()
    report = load(nq, path)
    assert (report.items, report.adopted) == (150, 100)
    assert shown().count() == 250


def test_the_jobs_row_says_how_far_an_import_came(nq, tmp_path, monkeypatch):
    path = write_lines(tmp_path / "q.jsonl", questions(250))
    kill_in_pass_two(nq, path, monkeypatch, batch=3)
    job = Job.objects.get()
    assert (job.state, job.done, job.total, job.attempts) == (Job.State.RUNNING, 200, 250, 1)
    load(nq, path)
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.attempts) == (Job.State.DONE, 250, 250, 2)


def test_a_corrected_file_replaces_a_killed_import(nq, tmp_path, monkeypatch):
    lines = questions(150)
    kill_in_pass_two(nq, write_lines(tmp_path / "q.jsonl", lines), monkeypatch)
    lines[7]["question_text"] = "who tended which light"
    assert load(nq, write_lines(tmp_path / "corrected.jsonl", lines)).items == 150
    assert shown().count() == 150
    assert shown().get(external_id="8").payload["question_text"] == "who tended which light"
    assert sorted(Job.objects.values_list("state", flat=True)) == ["cancelled", "done"]


def test_a_killed_import_that_was_given_up_cannot_come_back_beside_its_correction(nq, tmp_path, monkeypatch):
    path = write_lines(tmp_path / "q.jsonl", questions(150))
    kill_in_pass_two(nq, path, monkeypatch)
    corrected = questions(150)
    corrected[7]["question_text"] = "who tended which light"
    load(nq, write_lines(tmp_path / "corrected.jsonl", corrected))
    with pytest.raises(run.LinesRefused) as refused:
        load(nq, path)
    assert [found.line for found in refused.value.report.refused] == [8]
    assert shown().count() == 150


def test_two_imports_into_a_project_do_not_run_at_once(nq, tmp_path):
    path = write_lines(tmp_path / "q.jsonl", questions(1))
    with run.alone(nq), pytest.raises(ImportRefused, match="Another import"):
        load(nq, path)
    assert load(nq, path).items == 1


def test_a_file_of_nothing_but_broken_lines_is_not_read_to_its_end(nq, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "REFUSED_AT_MOST", 300)
    path = write_lines(tmp_path / "q.jsonl", [b"{,"] * 1000)
    with pytest.raises(run.LinesRefused) as refused:
        load(nq, path)
    assert refused.value.report.read_until == 300
    assert len(refused.value.report.refused) == 300


@pytest.mark.parametrize("moved_to", ["dev", "held-out"])
def test_of_the_same_file_under_another_split_it_is_said_that_only_the_split_differs(db, tmp_path, moved_to):
    lights = project()
    path = write_lines(tmp_path / "q.jsonl", [{k: v for k, v in line.items() if k != "split"} for line in questions(2)])
    load(lights, path, split="dev")
    lights.items.update(split=moved_to)
    with pytest.raises(run.LinesRefused) as refused:
        load(lights, path, split="train")
    [first, _second] = refused.value.report.refused
    said = f"The project already has 1, in the split {moved_to}; only the split differs. Move items under Splits"
    assert first.reason.startswith(said)


def test_what_differs_in_more_than_the_split_is_said_to_have_different_content(db, tmp_path):
    lights = project()
    load(lights, write_lines(tmp_path / "q.jsonl", questions(1)))
    changed = [questions(1)[0] | {"question_text": "who tended it then", "split": "dev"}]
    with pytest.raises(run.LinesRefused) as refused:
        load(lights, write_lines(tmp_path / "r.jsonl", changed))
    assert refused.value.report.refused[0].reason.endswith("with different content.")
