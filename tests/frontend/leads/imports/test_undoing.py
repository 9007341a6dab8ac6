"""A lead undoes an import on its page, and is told why where that is not possible."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Item
from tasks.engine import queues
from tests.builders import Worker, questions
from tests.people import NOON, join
from tests.uploading import imported


@pytest.fixture
def job(nq, lena):
    """Three questions that came in."""
    return imported(nq, lena, questions(3))


def undo(lead, job):
    return lead.post(reverse("undo_import", args=[job.project.slug, job.pk]), follow=True)


def page(lead, job) -> str:
    return " ".join(lead.get(reverse("import", args=[job.project.slug, job.pk])).content.decode().split())


def test_an_import_is_undone_and_its_page_says_so(lead, nq, job):
    assert "Take 3 items out again?" in page(lead, job)
    said = undo(lead, job).content.decode()
    assert "q.jsonl is undone: nothing of it is in the project." in said
    assert not Item.objects.exists()
    after = page(lead, job)
    assert "Undone: q.jsonl" in after
    assert "Open a queue" not in after
    assert "Take 3 items out again?" not in after


def test_lists_and_counts_of_the_project_have_none_of_it(lead, nq, job):
    queues.open_queue(nq, "annotate", by=None, now=NOON)
    item = nq.items.first()
    undo(lead, job)
    assert lead.get(reverse("items", args=[nq.slug])).context["listed"].count == 0
    assert lead.get(reverse("item", args=[nq.slug, item.pk])).status_code == 404
    board = lead.get(reverse("project", args=[nq.slug]))
    assert board.context["latest_import"] is None
    assert "board" not in board.context  # as before anything was imported
    assert "Undone" in lead.get(reverse("imports", args=[nq.slug])).content.decode()


def test_the_corrected_file_is_imported_with_the_same_ids(lead, nq, lena, job):
    undo(lead, job)
    mended = [line | {"question_text": f"{line['question_text']}, and when"} for line in questions(3)]
    again = imported(nq, lena, mended, name="mended.jsonl")
    assert again.report["result"]["items"] == 3
    assert "Take 3 items out again?" in page(lead, again)


def test_once_somebody_has_an_item_the_page_says_that_it_stays(lead, nq, job):
    queues.open_queue(nq, "annotate", by=None, now=NOON)
    Worker(join(nq, "alice"), nq).claim()
    assert "It can’t be undone any more: 1 of its items has been worked on." in page(lead, job)
    answer = undo(lead, job)
    assert answer.status_code == 409
    assert "1 of its items has been worked on." in answer.content.decode()
    assert nq.items.count() == 3


def test_an_import_that_found_everything_there_has_nothing_to_undo(lead, nq, lena, job):
    again = imported(nq, lena, questions(3), name="again.jsonl")
    assert "out again?" not in page(lead, again)
    assert undo(lead, again).status_code == 404
    assert nq.items.count() == 3
