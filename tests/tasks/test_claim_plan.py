"""A claim finds its task by the index of open tasks in their order, however many there are (figures: make bench)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from annotation import protocol as registry
from annotation.models import Item, Project
from tasks import claiming, queues
from tasks.models import Assignment
from tests.builders import project
from tests.people import NOON, join

TASKS = 3000


def furnished(protocol: str, activity: str, kind: str) -> Project:
    found = project(protocol=protocol)
    Item.objects.bulk_create(
        Item(
            project=found,
            kind=kind,
            external_id=str(n),
            split="train",
            payload={},
            content_sha256="",
            alike=str(n // 2) if registry.get(protocol).alike else "",
            position=n,
        )
        for n in range(TASKS)
    )
    queues.open_queue(found, activity, by=None, now=NOON)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return found


def plan_of(sql: str, params: Any) -> str:
    """As it is run: with its parameters bound, since SQLite plans without knowing them."""
    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {sql}", params)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


@pytest.mark.parametrize(
    ("protocol", "activity", "kind"), [("nq", "annotate", "example"), ("qasper", "ask", "paper")], ids=["nq", "qasper"]
)
def test_the_search_of_a_claim_goes_along_the_index_of_open_tasks(db, protocol, activity, kind):
    found = furnished(protocol, activity, kind)
    alice = join(found, "alice")
    asked: list[tuple[str, Any]] = []

    def note(execute: Callable, sql: str, params: Any, *rest: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, *rest)

    with connection.execute_wrapper(note):
        assert isinstance(claiming.claim(found, activity, by=alice, now=NOON), Assignment)
    searches = [(sql, params) for sql, params in asked if 'ORDER BY "tasks_task"."order"' in sql]
    assert searches
    for sql, params in searches:
        plan = plan_of(sql, params)
        assert "open_tasks_in_order" in plan, plan
        assert "TEMP B-TREE" not in plan, plan
        assert "Sort" not in plan, plan
        if protocol == "nq":  # what is alike is looked up once, and not for each task
            assert plan.count("hashed SubPlan" if connection.vendor == "postgresql" else "\nLIST SUBQUERY") >= 2, plan
        assert "CORRELATED LIST" not in plan, plan
