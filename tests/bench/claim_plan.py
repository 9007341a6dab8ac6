"""A claim among 307,373 tasks (the size of NQ's training set) with 1,000 open leases, on both databases: ms.

Time waiting for the database, of a claim's search for a free task with every rule in it, and of all statements of the
claim together; medians and 95th percentiles of 200 people who hold nothing. Each of 1,000 others holds a task and has
finished 50. Of the seekers, newcomers have finished 50 too and veterans 500, all in this session (in which nobody is
asked the same twice). "annotate" hands out in random order; "ask" has the rule about exclusions. Also the count of what
is left for a veteran, as on their home page: ms, the median of five.

    python -m tests.bench.claim_plan        (in a site's environment: furnish its database, and measure)
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

from tests.bench.databases import on_both
from tests.site import Site

TASKS, HOLDERS, SEEKERS = 307_373, 1000, 200
FINISHED, FINISHED_BY_VETERANS = 50, 500
PLACES = (("nq", "annotate", "example"), ("qasper", "ask", "paper"))
BATCH = 5000


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, object]:
    site.manage("migrate", "--verbosity", "0")
    return json.loads(site.python("tests.bench.claim_plan"))


def main() -> None:
    """Furnish and measure, in a process of the site."""
    import django

    django.setup()
    from django.db import connection

    from tests.bench.yardstick import beside_yardstick

    figures: dict[str, Any] = {}
    for protocol, activity, kind in PLACES:
        found, seekers = furnish(protocol, activity, kind)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        half = SEEKERS // 2
        for name, people in (("newcomers", seekers[:half]), ("veterans", seekers[half:])):
            measure = partial(claims, found, activity, people)
            figures[f"{protocol}, {activity}, {name}"] = beside_yardstick(measure)
        measure = partial(counting, found, activity, seekers[-1])
        figures[f"{protocol}, {activity}, what is left"] = beside_yardstick(measure)
    print(json.dumps(figures))


def furnish(protocol: str, activity: str, kind: str) -> tuple[Any, list[Any]]:
    """A project with that many tasks, some held and some done; return it with the people who will look for work."""
    from annotation import clock, membership
    from tasks.models import Task
    from tasks.models.states import AssignmentState, TaskState
    from tests.factories.corpus import ItemFactory, ProjectFactory
    from tests.factories.people import MembershipFactory, UserFactory
    from tests.factories.record import AnnotationFactory
    from tests.factories.work import AssignmentFactory, LeaseFactory, QueueFactory

    now = clock.now()
    found = ProjectFactory(slug=f"{protocol}-plan", protocol=protocol, created_at=now)
    for start in range(0, TASKS, BATCH):
        ItemFactory.insert_many(
            {
                "project": found,
                "kind": kind,
                "alike": sha256(str(n).encode()).hexdigest() if protocol == "nq" else "",
                "position": n,
            }
            for n in range(start, min(start + BATCH, TASKS))
        )
    queue = QueueFactory(project=found, activity=activity, filled_at=now)
    tasks = list(Task.objects.filter(queue=queue).select_related("item").order_by("order"))
    names = [f"{protocol}-{number}" for number in range(HOLDERS + SEEKERS)]
    people = UserFactory.insert_many({"username": name, "password": None} for name in names)  # hashing takes minutes
    MembershipFactory.insert_many({"project": found, "user": user, "since": now} for user in people)
    for user in people[HOLDERS:]:
        membership.accept_consent(user=user, project=found, now=now)
    counts = dict.fromkeys((user.pk for user in people), FINISHED)
    counts |= dict.fromkeys((user.pk for user in people[-SEEKERS // 2 :]), FINISHED_BY_VETERANS)
    done = iter(tasks[:: len(tasks) // (sum(counts.values()) + HOLDERS)])
    times = {"queue": queue, "opened_at": now, "expires_at": now}
    held = LeaseFactory.insert_many({"annotator": user} | times for user in people[:HOLDERS])
    ended = LeaseFactory.insert_many({"annotator": user, "closed_at": now} | times for user in people)
    pieces = [(lease, next(done)) for lease in ended for _ in range(counts[lease.annotator_id])]
    pieces += [(lease, next(done)) for lease in held]
    begun = AnnotationFactory.insert_many(
        {
            "item": task.item,
            "author": lease.annotator,
            "activity": activity,
            "opened_at": now,
            "completed_at": lease.closed_at,
        }
        for lease, task in pieces
    )
    AssignmentFactory.insert_many(
        {
            "task": task,
            "lease": lease,
            "annotation": annotation,
            "state": AssignmentState.SUBMITTED if lease.closed_at else AssignmentState.LEASED,
        }
        for (lease, task), annotation in zip(pieces, begun, strict=True)
    )
    for ids, state in ((pieces[:-HOLDERS], TaskState.DONE), (pieces[-HOLDERS:], TaskState.FULL)):
        keys = [task.pk for _lease, task in ids]
        for start in range(0, len(keys), BATCH):
            Task.objects.filter(pk__in=keys[start : start + BATCH]).update(state=state)
    return found, people[HOLDERS:]


def claims(found: Any, activity: str, seekers: list[Any]) -> dict[str, float]:
    """The times of their claims in the database."""
    from django.db import connection

    from annotation import clock
    from tasks.engine import claiming, no_work

    searches, wholes = [], []
    for user in seekers:
        timed: list[tuple[str, float]] = []

        def timer(execute: Callable, sql: str, *rest: Any, kept: list[tuple[str, float]] = timed) -> Any:
            begun = time.perf_counter()
            try:
                return execute(sql, *rest)
            finally:
                kept.append((sql, (time.perf_counter() - begun) * 1000))

        with connection.execute_wrapper(timer):
            claimed = claiming.claim(found, activity, by=user, now=clock.now())
        if isinstance(claimed, no_work.NoWork):
            raise AssertionError(f"{user.username} got nothing: {claimed}")
        looks = [took for sql, took in timed if 'ORDER BY "tasks_task"."order"' in sql]
        searches.append(sum(looks))
        wholes.append(sum(took for _sql, took in timed))
    return {
        "search_median_ms": round(statistics.median(searches), 2),
        "search_p95_ms": round(statistics.quantiles(searches, n=20)[-1], 2),
        "claim_median_ms": round(statistics.median(wholes), 2),
        "claim_p95_ms": round(statistics.quantiles(wholes, n=20)[-1], 2),
    }


def counting(found: Any, activity: str, user: Any) -> dict[str, float]:
    """The time to count how much is left for somebody."""
    from annotation import clock, registry
    from tasks.engine import eligibility
    from tasks.models import Queue

    protocol = registry.get(found.protocol)
    queues, since = tuple(Queue.objects.filter(project=found)), clock.now() - eligibility.SESSION
    seek = eligibility.Seeker(user, found, queues, protocol.activity(activity), found.protocol, since)
    times = []
    for _run in range(5):
        begun = time.perf_counter()
        eligibility.count_doable(seek)
        times.append((time.perf_counter() - begun) * 1000)
    return {"median_ms": round(statistics.median(times), 1)}


if __name__ == "__main__":
    main()
