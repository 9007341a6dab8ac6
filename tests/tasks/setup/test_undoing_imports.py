"""An import is undone while nobody has worked on its items: nobody sees them, and the mended file can come in."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from annotation import search
from annotation.engine import job_leases
from annotation.errors import WrongMove
from annotation.imports import run
from annotation.models import Annotation, Event, Item, ItemDocument
from annotation.releases import building, selection
from tasks.engine import queues
from tasks.engine.no_work import NoWork
from tasks.models import Task
from tasks.setup import opening, undoing_imports
from tests.builders import Worker, load, open_papers, open_with, project, questions, write_lines
from tests.people import NOON, join
from tests.protocols.squad.builders import answer, article, file_v2, paragraph, question

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def lights(db, tmp_path):
    """Three questions, imported, and the open queue with them."""
    made = project()
    open_with(made, tmp_path, questions(3))
    return made


@pytest.fixture
def squad(db):
    return project("towers", "squad")


def take_in(into, folder, *paragraphs):
    """Import a published file of one article with these paragraphs."""
    path = folder / "dev-v2.0.json"
    path.write_text(json.dumps(file_v2(article(*paragraphs))))
    return load(into, path, published=True)


def imported(into):
    """The latest import of the project."""
    return into.jobs.filter(kind__startswith="import_").latest("pk")


def undo(into, *, by=None):
    return undoing_imports.undo(imported(into), by=by, now=LATER)


def test_its_items_are_seen_nowhere_any_more_and_stay_in_the_record(lights):
    assert undo(lights) == 3
    assert not Item.objects.exists()
    assert not lights.items.exists()
    assert not Task.objects.exists()
    assert not Item.with_undone.filter(queues.visible()).exists()
    assert not Annotation.objects.filter(selection.visible_items("item__")).exists()
    assert set(Item.with_undone.values_list("undone_at", flat=True)) == {LATER}
    assert ItemDocument.objects.count() == 3
    assert imported(lights).undone_at == LATER
    [event] = Event.objects.filter(kind=undoing_imports.UNDONE)
    assert event.data["items"] == 3


def test_nobody_is_given_them_and_the_queue_is_not_filled_with_them(lights):
    worker = Worker(join(lights, "alice"), lights)
    undo(lights)
    queue = opening.queue_of(lights, "annotate")
    queues.look_again(lights)
    queue.refresh_from_db()
    assert queues.fill(queue, now=LATER) == 0
    assert isinstance(worker.claim(), NoWork)


def test_the_mended_file_comes_in_under_the_same_ids(lights, tmp_path):
    ids = set(lights.items.values_list("external_id", flat=True))
    undo(lights)
    mended = [line | {"question_text": f"{line['question_text']} again"} for line in questions(3)]
    assert load(lights, write_lines(tmp_path / "mended.jsonl", mended)).items == 3
    assert set(lights.items.values_list("external_id", flat=True)) == ids
    assert all(text.endswith("again") for text in lights.items.values_list("payload__question_text", flat=True))


def test_the_same_file_can_come_in_again_and_be_undone_again(lights, tmp_path):
    path = write_lines(tmp_path / "again.jsonl", questions(3))
    for _time in range(2):
        undo(lights)
        assert load(lights, path).items == 3
    assert lights.items.count() == 3
    assert Item.with_undone.count() == 9


def test_writers_and_leads_do_not_find_them(db):
    papers = open_papers()
    words = papers.items.first().search_text.title.split()[0]
    assert search.find(papers.pk, words)
    undo(papers)
    assert not search.find(papers.pk, words)
    assert not search.with_words(papers.items.all(), words).exists()


def test_published_annotations_go_with_their_items(squad, tmp_path):
    take_in(squad, tmp_path, paragraph(question(1)))
    assert Annotation.objects.filter(selection.visible_items("item__")).exists()
    undo(squad)
    assert not Annotation.objects.filter(selection.visible_items("item__")).exists()
    assert take_in(squad, tmp_path, paragraph(question(1, answer("1871")))).annotations == 1


def test_it_stays_once_somebody_has_been_given_one_of_them(lights):
    Worker(join(lights, "alice"), lights).claim()
    with pytest.raises(WrongMove, match="1 of its items has been worked on"):
        undo(lights)
    assert lights.items.count() == 3
    assert Task.objects.count() == 3


def test_it_stays_while_items_of_a_later_import_belong_to_its_own(squad, tmp_path):
    take_in(squad, tmp_path, paragraph(question(1)))
    first = imported(squad)
    take_in(squad, tmp_path, paragraph(question(1), question(2)))
    assert imported(squad) != first
    with pytest.raises(WrongMove, match="Items of a later import belong to its items"):
        undoing_imports.undo(first, by=None, now=LATER)
    assert undo(squad) == 1
    assert undoing_imports.undo(first, by=None, now=LATER) == 2


@pytest.mark.parametrize(("microseconds", "stays"), [(-1, False), (0, True)])
def test_it_stays_once_a_release_was_made_after_it(squad, tmp_path, microseconds, stays):
    take_in(squad, tmp_path, paragraph(question(1)))
    building.build(squad, format="v2.0", by=None, now=NOON + timedelta(microseconds=microseconds))
    if stays:
        with pytest.raises(WrongMove, match="Release 1 was made with its items"):
            undo(squad)
    else:
        assert undo(squad) == 2


def test_it_waits_for_an_import_that_is_running(lights):
    with job_leases.hold(run.import_lease(lights)), pytest.raises(WrongMove, match="Another file is being imported"):
        undo(lights)
    assert undo(lights) == 3


def test_it_is_undone_once(lights):
    undo(lights)
    with pytest.raises(WrongMove, match="has been undone"):
        undo(lights)
