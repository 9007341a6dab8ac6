"""A claim finds its task through the index of open tasks in queue order, however many there are (make bench)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from annotation import registry
from annotation.models import Project, User
from tasks.engine import claiming
from tasks.models import Assignment, Task
from tasks.models.states import AssignmentState
from tests.factories.corpus import ItemFactory, ProjectFactory
from tests.factories.qualification import GrantFactory, QualificationFactory
from tests.factories.record import AnnotationFactory
from tests.factories.work import AssignmentFactory, LeaseFactory, QueueFactory
from tests.people import NOON, join

pytestmark = pytest.mark.on_both_databases

TASKS = 3000
ASKED = (("nq", "annotate", "example"), ("qasper", "ask", "paper"))
of_each = pytest.mark.parametrize(("protocol", "activity"), [each[:2] for each in ASKED])


def furnished(protocol: str, activity: str, kind: str) -> Project:
    found = ProjectFactory(slug=f"many-{protocol}", protocol=protocol)
    alike = registry.get(protocol).alike
    ItemFactory.insert_many(
        {"project": found, "kind": kind, "position": n, "alike": str(n // 2) if alike else ""} for n in range(TASKS)
    )
    QueueFactory(project=found, activity=activity)
    return found


@pytest.fixture(scope="module")
def made(shared_rows) -> dict[tuple[str, str], int]:
    """Both projects, by protocol and activity."""
    return {(protocol, activity): furnished(protocol, activity, kind).pk for protocol, activity, kind in ASKED}


@pytest.fixture
def found_by(made, db) -> Callable[[str, str], Project]:
    """The project of a protocol."""
    return lambda protocol, activity: Project.objects.get(pk=made[protocol, activity])


def plan_of(sql: str, params: Any) -> str:
    """The plan with parameters bound, as it is run, since SQLite plans differently without them."""
    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {sql}", params)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def searches_of_a_claim(found: Project, activity: str, person: User) -> list[tuple[str, Any]]:
    """The statements, with their parameters, with which a claim searches for a task."""
    asked: list[tuple[str, Any]] = []

    def note(execute: Callable, sql: str, params: Any, *rest: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, *rest)

    with connection.execute_wrapper(note):
        assert isinstance(claiming.claim(found, activity, by=person, now=NOON), Assignment)
    searches = [(sql, params) for sql, params in asked if 'ORDER BY "tasks_task"."order"' in sql]
    assert searches
    return searches


def finish_many(found: Project, activity: str, person: User) -> None:
    """Have the person do every third task in this session, without the database's statistics knowing it yet."""
    tasks = list(
        Task.objects.filter(queue__project=found, assignments=None).select_related("item").order_by("order")[::3]
    )
    lease = LeaseFactory.insert(annotator=person, queue=tasks[0].queue, closed_at=NOON)
    done = AnnotationFactory.insert_many(
        {"item": task.item, "author": person, "activity": activity, "completed_at": NOON} for task in tasks
    )
    AssignmentFactory.insert_many(
        {"task": task, "lease": lease, "annotation": annotation, "state": AssignmentState.SUBMITTED}
        for task, annotation in zip(tasks, done, strict=True)
    )


def effort(sql: str, params: Any) -> int:
    """A machine-independent cost: pages read by PostgreSQL, tens of VM steps of SQLite."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", params)
            plan = cursor.fetchone()[0][0]["Plan"]
            return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    steps = []
    connection.connection.set_progress_handler(lambda: steps.append(1) and None, 10)
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, params).fetchall()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return len(steps)


@of_each
def test_the_search_of_a_claim_uses_the_index_of_open_tasks(found_by, protocol, activity):
    found = found_by(protocol, activity)
    for sql, params in searches_of_a_claim(found, activity, join(found, "alice")):
        plan = plan_of(sql, params)
        assert "open_tasks_in_order" in plan, plan
        assert "TEMP B-TREE" not in plan, plan
        assert "Sort" not in plan, plan
        assert "CORRELATED LIST" not in plan, plan


@of_each
def test_the_search_of_a_claim_takes_no_longer_for_people_who_have_done_much(found_by, protocol, activity):
    found = found_by(protocol, activity)
    alice, bob = join(found, "alice"), join(found, "bob")
    [of_a_newcomer] = searches_of_a_claim(found, activity, alice)[:1]
    before = effort(*of_a_newcomer)
    finish_many(found, activity, bob)
    [of_a_veteran] = searches_of_a_claim(found, activity, bob)[:1]
    after = effort(*of_a_veteran)
    assert after < before + TASKS // 10, (before, after)  # some are skipped: done, or asking the same


def test_the_search_of_a_claim_is_the_same_where_qualifications_are_required(found_by):
    found = found_by("nq", "annotate")
    alice, bob = join(found, "alice"), join(found, "bob")
    before, _ = searches_of_a_claim(found, "annotate", alice)[0]
    GrantFactory(qualification=QualificationFactory(project=found, needed_for=["annotate"]), user=bob)
    after, _ = searches_of_a_claim(found, "annotate", bob)[0]
    assert after == before
