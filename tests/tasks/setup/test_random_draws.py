"""Where several people annotate one item, or blocks are drawn, people begin at random points of the order."""

from __future__ import annotations

import pytest

from annotation import events
from annotation.models import Event
from tasks.engine import claiming
from tasks.models import Task
from tests.builders import Worker, load, open_papers, open_with, project, questions, write_lines
from tests.people import NOON, join

ONCE = {"annotate": {"overlap": {"train": 1, "dev": 1, "test": 1}}}
PAPERS = {"questions": [{"text": "Is the code open?", "answerable_from_abstract": False}]}
CARD = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}


def begun_at(claimed):
    """The point of the order at which the search for this work began; None: at its beginning."""
    return Event.objects.get(subject=events.name(claimed), kind="assignment.claimed").data["start"]


def claims(found, people=6, activity="annotate"):
    """What some people who ask one after another are given first, with the points at which their searches began."""
    given = [Worker(join(found, f"annotator-{n}"), found, activity).claim() for n in range(people)]
    return given, [begun_at(each) for each in given]


def in_order(found):
    return list(Task.objects.filter(queue__project=found).order_by("order"))


def test_where_each_item_is_annotated_once_all_begin_at_the_beginning(db, tmp_path):
    once = project(activities=ONCE)
    open_with(once, tmp_path, questions(8))
    given, starts = claims(once)
    assert starts == [None] * 6
    assert [each.task for each in given] == in_order(once)[:6]


@pytest.mark.parametrize("split", ["train", "dev"])
def test_where_a_split_is_annotated_several_times_each_goes_on_from_a_random_point(db, tmp_path, split):
    found = project(activities={"annotate": {"overlap": {"train": 1, "dev": 20}}})
    open_with(found, tmp_path, questions(8, split=split))
    given, starts = claims(found)
    assert len(set(starts)) == 6
    free = in_order(found)
    for claimed, start in zip(given, starts, strict=True):
        assert claimed.task == next((task for task in free if task.order >= start), free[0])
        if split == "train":
            free.remove(claimed.task)


def test_blocks_begin_at_random_points_unless_they_are_drawn_as_imported(db):
    once = {"overlap": {"train": 1, "dev": 1, "test": 1}}
    for slug, config in (("drawn", {}), ("once", once), ("as-imported", {"draw": "in_order"})):
        found = open_papers(slug, activities={"answer": config})
        writer = Worker(join(found, f"writer-{slug}"), found, "ask")
        writer.commit(writer.claim(), "questions", CARD | PAPERS)
        given = Worker(join(found, f"answerer-{slug}"), found, "answer").claim()
        assert (begun_at(given) is None) == (slug == "as-imported"), slug


def test_a_claim_makes_the_tasks_of_so_many_new_items_and_no_more(db, tmp_path, monkeypatch):
    monkeypatch.setattr(claiming, "AT_MOST_IN_A_CLAIM", 2)
    once = project(activities=ONCE)
    open_with(once, tmp_path, questions(1))
    claims(once, people=1)
    load(once, write_lines(tmp_path / "more.jsonl", questions(5, start=1)))
    Worker(join(once, "ada"), once).claim(now=NOON)
    assert Task.objects.count() == 1 + 2
