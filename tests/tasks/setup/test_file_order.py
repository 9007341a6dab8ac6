"""Items that a project draws in order come in the order of the imported files, also when its leads say so later."""

from __future__ import annotations

import pytest

from annotation.models import Event, Item, Role
from annotation.setup import changes
from tasks.engine import claiming, queues, skip_and_return
from tasks.models import Task
from tasks.setup import opening
from tests.builders import Worker, load, open_papers, open_with, project, questions, write_lines
from tests.factories.corpus import ItemFactory
from tests.factories.work import QueueFactory
from tests.people import NOON, join

IN_ORDER = {"annotate": {"draw": "in_order"}}
FIRST, SECOND = (7, 2, 9, 1, 5), (4, 8, 0, 6, 3)
"""The ids of two files, in the order of their lines."""


def lines(ids, split="train"):
    """Questions with the ids that NQ's reader makes of these numbers: none of them is beside its neighbours."""
    return [questions(1, start=number, split=split)[0] for number in ids]


def given(found, name="alice"):
    """The numbers of all items, in the order in which somebody is given them."""
    someone = Worker(join(found, name), found)
    return [int(someone.finish_bad().task.item.external_id) - 1 for _time in range(found.items.count())]


def two_files(folder, *, split="train", **config):
    found = project(**config)
    open_with(found, folder, lines(FIRST, split))
    load(found, write_lines(folder / "second.jsonl", lines(SECOND, split)))
    return found


@pytest.mark.parametrize("split", ["train", "dev"])
def test_items_come_in_the_order_of_the_file_and_one_import_after_another(db, tmp_path, split):
    assert given(two_files(tmp_path, split=split, activities=IN_ORDER)) == [*FIRST, *SECOND]


def test_several_items_of_one_line_come_as_they_came_in(db):
    found = project(activities=IN_ORDER)
    for name in "dbca":
        ItemFactory(project=found, external_id=name, position=5)
    queue = QueueFactory(project=found, activity="annotate")
    queues.fill(queue, now=NOON)
    someone = join(found, "alice")
    got = []
    for _time in range(4):
        held = claiming.claim(found, "annotate", by=someone, now=NOON)
        skip_and_return.skip(held, by=someone, reason="hard", text="", now=NOON)
        got.append(held.task.item_id)
    assert got == sorted(got)


def test_without_that_they_come_in_the_order_that_the_seed_of_the_project_gives(db, tmp_path):
    found = two_files(tmp_path, seed="eighty")
    got = given(found)
    assert sorted(got) == list(range(10))
    assert got not in ([*FIRST, *SECOND], sorted(got))


def test_what_leads_say_later_counts_for_the_tasks_that_exist_and_can_be_undone(db, tmp_path):
    found = two_files(tmp_path, seed="eighty")
    queue = found.queues.get()
    queues.fill(queue, now=NOON)
    before = dict(Task.objects.values_list("pk", "order"))
    lead = join(found, "lena", Role.LEAD)
    changed = changes.change(found, config={"activities": IN_ORDER}, by=lead, now=NOON)
    opening.put_in_order_again(found, changed)
    assert given(found)[:3] == [7, 2, 9]
    opening.undo_settings(found, Event.objects.get(kind=changes.CHANGED).pk, by=lead, now=NOON)
    assert dict(Task.objects.values_list("pk", "order")) == before


def test_a_queue_that_is_opened_again_gets_the_order_that_its_tasks_do_not_have_yet(db, tmp_path):
    found = two_files(tmp_path, activities=IN_ORDER)
    queues.fill(found.queues.get(), now=NOON)
    for number, task in enumerate(Task.objects.order_by("-item__position")):
        Task.objects.filter(pk=task.pk).update(order=number)
    queues.open_queue(found, "annotate", by=None, now=NOON)
    assert given(found) == [*FIRST, *SECOND]


def test_blocks_come_in_order_and_so_do_their_items(db):
    found = open_papers(activities={"answer": {"draw": "in_order"}})
    wendy, adam = Worker(join(found, "wendy"), found, "ask"), Worker(join(found, "adam"), found, "answer")
    papers = list(Item.objects.filter(kind="paper").order_by("position")[:4])
    for paper in reversed(papers):
        card = claiming.claim(found, "ask", by=wendy.user, now=NOON, item=paper)
        wendy.commit(card, "questions", asked(f"Which corpus is in {paper.external_id}?", "How long did it take?"))
        queues.fill(found.queues.get(activity="answer"), now=NOON)
    for paper in papers:
        rows = list(adam.claim().lease.assignments.order_by("pk").select_related("task__item"))
        assert {row.task.item.root_id for row in rows} == {paper.pk}
        assert [row.task.item.payload["question"][:5] for row in rows] == ["Which", "How l"]
        for row in rows:
            adam.commit(row, "answer", {"kind": "unanswerable"})


def asked(*texts):
    return {
        "nlp_background": "two",
        "topic_background": "familiar",
        "paper_read": "no",
        "search_query": "",
        "questions": [{"text": text, "answerable_from_abstract": False} for text in texts],
    }
