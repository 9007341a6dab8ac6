"""Leads read items with their annotations, filtered as on the page, in pages that miss nothing."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Item, Project, Response, User
from tests.builders import GOOD, Worker, open_with, project, questions
from tests.frontend.api.callers import reader


@pytest.fixture(scope="module")
def five_once(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(5))
    return made.pk


@pytest.fixture
def nq(five_once: int, db: None) -> Project:
    return Project.objects.get(pk=five_once)


@pytest.fixture
def five(nq: Project) -> Project:
    return nq


def test_an_item_is_told_with_what_was_answered_in_each_stage(five: Project, lena: User, alice: User):
    held = Worker(alice, five).finish_without_answer()
    found = reader(lena).get(f"projects/lights/items/{held.task.item_id}/").json()
    [annotation] = found["annotations"]
    assert (annotation["uuid"], annotation["author"]) == (str(held.annotation.uuid), alice.worker_code)
    assert [one["stage"] for one in annotation["responses"]] == ["question", "long_answer"]
    assert annotation["responses"][0]["payload"] == GOOD
    assert annotation["completed_at"] is not None


def test_pages_follow_each_other_without_gap_though_an_item_before_them_goes_away(five: Project, lena: User):
    caller = reader(lena)
    first = caller.get("projects/lights/items/", {"limit": 2}).json()
    Item.objects.filter(pk=first["results"][0]["id"]).update(set_aside_at="2026-01-01T00:00Z")
    second = caller.get("projects/lights/items/", {"limit": 2, "cursor": first["next"]}).json()
    third = caller.get("projects/lights/items/", {"limit": 2, "cursor": second["next"]}).json()
    rows = [row["external_id"] for page in (first, second, third) for row in page["results"]]
    assert rows == list(Item.with_set_aside.order_by("position").values_list("external_id", flat=True))
    assert third["next"] is None


def test_a_page_that_just_holds_the_rest_is_the_last(five: Project, lena: User):
    assert reader(lena).get("projects/lights/items/", {"limit": 5}).json()["next"] is None


UNKNOWN = [
    {"limit": "0"},
    {"limit": "101"},
    {"limit": "-1"},
    {"limit": "ten"},
    {"cursor": "WzEsMl0"},
    {"state": "unknown"},
    {"since": "yesterday"},
    {"author__password__startswith": "pbkdf2"},
    {"payload": "x"},
    {"order_by": "author__email"},
]


def test_what_the_list_does_not_know_is_refused_by_name(five: Project, lena: User):
    script = reader(lena)
    for query in UNKNOWN:
        answer = script.get("projects/lights/items/", query)
        assert answer.status_code == 400, query
        assert [one["field"] for one in answer.json()["errors"]] == list(query)


def test_the_filters_are_those_of_the_page(five: Project, lena: User, alice: User):
    held = Worker(alice, five).finish_bad()
    caller = reader(lena)

    def found(**query: str) -> list[int]:
        return [row["id"] for row in caller.get("projects/lights/items/", query).json()["results"]]

    assert found(person=alice.worker_code) == [held.task.item_id]
    assert found(q="tended light number 0") == [Item.objects.order_by("position")[0].pk]
    assert found(split="dev") == []
    assert len(found(state="open")) == 4
    assert found(skipped="true") == []


def test_a_page_costs_as_many_statements_however_many_items_it_has(five: Project, lena: User, alice: User):
    for _ in range(5):
        Worker(alice, five).finish_bad()
    caller = reader(lena)
    caller.get("projects/lights/items/")
    counts = []
    for limit in (1, 5):
        with CaptureQueriesContext(connection) as queries:
            caller.get("projects/lights/items/", {"limit": limit})
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_page_leaves_no_row_of_the_record_to_the_garbage_collector(five: Project, lena: User, alice: User):
    caller, worker = reader(lena), Worker(alice, five)
    for _ in range(3):
        worker.finish_without_answer()
    gc.disable()
    gc.freeze()  # what was there before counts nowhere
    try:
        assert len(caller.get("projects/lights/items/").json()["results"]) == 5
        left = sum(type(each) is Response for each in gc.get_objects())
        assert left <= 1  # the query of a prefetch names the first row
    finally:
        gc.unfreeze()
        gc.enable()
