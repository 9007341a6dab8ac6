"""A lead's pages of a project with 300,000 annotations by 200 people over 60 days, on both databases.

Milliseconds until the board is answered, of the whole project and of parts of it, until a page that follows it is told
that nothing has changed, and until the list of items is; the processor's share of them, and kilobytes of each page.
Seconds to count all work anew, and milliseconds to count one more piece of work.

    python -m tests.bench.board PART      (in a site's environment: furnish or pages; prints JSON)
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.bench.databases import on_both
from tests.site import Site

ITEMS, EACH, PEOPLE, DAYS = 60_000, 5, 200, 60
ONE_IN = 33
"""So many pieces of work for each skip."""
TIMES = 15


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, Any]:
    site.prepare()
    site.python("tests.bench.board", "furnish")
    begun = time.perf_counter()
    site.manage("count_work")
    counted = round(time.perf_counter() - begun, 2)
    site.manage("count_work", "--board", "many")
    site.manage("measure_agreement", "many")
    figures = json.loads(site.python("tests.bench.board", "pages"))
    return {"annotations": ITEMS * EACH, "people": PEOPLE, "items": ITEMS, "count_everything_s": counted, **figures}


def furnish() -> dict[str, Any]:
    """A project in which nearly everything is done; rows of work are written by SQL."""
    from django.db import connection

    from annotation.db import analyze
    from annotation.models import Annotation, Item, TimeSpan
    from tasks.models import Assignment, Lease, Task
    from tests.factories.corpus import ItemFactory, ProjectFactory
    from tests.factories.people import UserFactory
    from tests.factories.work import QueueFactory, TaskFactory

    begin = datetime.now(UTC).replace(hour=8, minute=0, second=0, microsecond=0) - timedelta(days=DAYS - 1)
    config = {"pay": "12.60 EUR an hour", "activities": {"annotate": {"overlap": {"dev": EACH, "test": EACH}}}}
    project = ProjectFactory(slug="many", config=config, created_at=begin)
    people = UserFactory.insert_many({"username": f"annotator-{n}"} for n in range(PEOPLE))
    queue = QueueFactory.insert(project=project, filled_at=begin)
    items = ItemFactory.insert_many(
        {
            "project": project,
            "split": ("dev", "test")[n % 4 == 0],
            "payload": {"question_text": f"who tended light number {n}"},
            "position": n,
        }
        for n in range(ITEMS + 50)
    )
    tasks = TaskFactory.insert_many(
        {"queue": queue, "item": item, "slots": EACH, "state": "done" if item.position < ITEMS else "open"}
        for item in items
    )
    first = {"item": items[0].pk, "task": tasks[0].pk, "person": people[0].pk, "lease": 1, "annotation": 1}
    with connection.cursor() as cursor:
        for statement in _work(project.pk, queue.pk, first, begin):
            cursor.execute(statement)
        if connection.vendor == "postgresql":
            for model in (Annotation, Lease, Assignment, TimeSpan):
                table = model._meta.db_table
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")
    _give_reasons(project.pk)
    analyze.analyze(Item, Task, Assignment, Annotation)
    return {}


def _work(project: int, queue: int, first: dict[str, int], begin: datetime) -> list[str]:
    """The statements that write the work: its annotations, leases, assignments and time."""
    from django.db import connection

    n, skips = ITEMS * EACH, ITEMS * EACH // ONE_IN
    sqlite = connection.vendor == "sqlite"

    def at(seconds: str) -> str:
        start = begin.strftime("%Y-%m-%d %H:%M:%S")
        if sqlite:
            return f"datetime('{start}', '+' || ({seconds}) || ' seconds')"
        return f"(timestamptz '{start}+00' + ({seconds}) * interval '1 second')"

    uuid = "printf('%032x', i + 1)" if sqlite else "lpad(to_hex(i + 1), 32, '0')::uuid"
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {n + skips - 1})"
    # Piece i is the one of person i % EACH of each EACH on item i / EACH; those from n on are skips by somebody else.
    place = f"CASE WHEN i < {n} THEN i / {EACH} ELSE (i - {n}) * {ONE_IN} / {EACH} END"
    each = PEOPLE // EACH
    who = f"({first['person']} + (i % {EACH}) * {each} + (({place}) + CASE WHEN i < {n} THEN 0 ELSE 7 END) % {each})"
    second = f"(({place}) * {DAYS} / {ITEMS}) * 86400 + (({place}) % 1000) * 36"
    done = at(f"{second} + 80")
    finished = f"CASE WHEN i < {n} THEN {done} END"
    return [
        f"INSERT INTO annotation_annotation (id, uuid, item_id, author_id, activity, round, purpose, external_id,"
        f" position, opened_at, completed_at, exclusion_reason) {numbers} SELECT {first['annotation']} + i, {uuid},"
        f" {first['item']} + ({place}), {who}, 'annotate', 1, 'work', '', 0, {at(second)}, {finished}, '' FROM n",
        f"INSERT INTO tasks_lease (id, annotator_id, project_id, activity, queue_id, opened_at, expires_at, closed_at)"
        f" {numbers} SELECT {first['lease']} + i, {who}, {project}, 'annotate', {queue}, {at(second)},"
        f" {at(second + ' + 1200')}, {done} FROM n",
        f"INSERT INTO tasks_assignment (id, uuid, task_id, lease_id, annotator_id, slot, seat, state, annotation_id,"
        f" claimed_at, closed_at) {numbers} SELECT 1 + i, {uuid}, {first['task']} + ({place}), {first['lease']} + i,"
        f" {who}, i % {EACH}, 'one', CASE WHEN i < {n} THEN 'submitted' ELSE 'skipped' END,"
        f" {first['annotation']} + i, {at(second)}, {done} FROM n",
        f"INSERT INTO annotation_timespan (id, annotator_id, project_id, annotation_id, stage, kind, begun_at, seconds)"
        f" {numbers.replace(str(n + skips - 1), str(n - 1))} SELECT 1 + i, {who}, {project}, {first['annotation']} + i,"
        f" 'question', CASE WHEN i % 9 = 0 THEN 'idle' ELSE 'active' END, {at(second)}, 20 + i % 120 FROM n",
    ]  # fmt: skip


def _give_reasons(key: int) -> None:
    """Two of three skips say why."""
    from tasks.models import Assignment
    from tests.factories.record import EventFactory

    reasons = ({"reason": "hard"}, {"reason": "topic"}, {})
    rows = Assignment.objects.filter(state="skipped").values_list("uuid", "closed_at")
    EventFactory.insert_many(
        {
            "at": at,
            "kind": "assignment.skipped",
            "subject": f"assignment:{uuid}",
            "project_id": key,
            "data": reasons[n % 3],
        }
        for n, (uuid, at) in enumerate(rows)
    )


def pages() -> dict[str, Any]:
    """The milliseconds until a lead's page is answered, and its kilobytes; and until one more piece of work counts."""
    from django.test import Client
    from django.urls import NoReverseMatch, reverse

    from annotation import clock
    from annotation.models import Project, Role, User
    from tasks.board import counting
    from tests import signed_in

    project = Project.objects.get(slug="many")
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(signed_in.member(project, "lead", role=Role.LEAD))
    code = User.objects.get(username="annotator-3").worker_code
    since = (clock.now() - timedelta(days=27)).date()
    board = reverse("project", args=["many"])
    parts = {"board": board, "board_of_a_split": f"{board}?split=test", "board_of_a_person": f"{board}?person={code}",
             "board_of_four_weeks": f"{board}?since={since}"}  # fmt: skip
    seen = re.findall('data-seen="([0-9a-f.]+)"', client.get(board).content.decode())[0]
    parts["nothing_new"] = f"{reverse('board_live', args=['many'])}?seen={seen}"
    try:
        items = reverse("items", args=["many"])
        parts |= {
            "items": items,
            "items_of_a_split": f"{items}?split=test",
            "items_of_a_person": f"{items}?person={code}",
        }
    except NoReverseMatch:
        pass  # the list is part of the board's page
    figures = {name: _answered(client, address) for name, address in parts.items()}
    return figures | {"count_one_more_ms": _one_more(project, counting)}


def _answered(client: Any, address: str) -> dict[str, float]:
    took, cost = [], []
    for _ in range(TIMES + 2):
        begun, before = time.perf_counter(), time.process_time()
        answer = client.get(address)
        took.append((time.perf_counter() - begun) * 1000)
        cost.append((time.process_time() - before) * 1000)
        assert answer.status_code in (200, 204), answer.status_code
    return _milliseconds(took[2:]) | {
        "processor": round(statistics.median(cost[2:]), 1),
        "kb": round(len(answer.content) / 1000, 1),
    }


def _one_more(project: Any, counting: Any) -> dict[str, float]:
    from annotation import clock
    from tests import signed_in
    from tests.builders import Worker

    took, worker = [], Worker(signed_in.member(project, "one-more"), project)
    counting.count(now=clock.now())
    for _ in range(TIMES + 2):
        worker.finish_bad(now=clock.now())
        begun = time.perf_counter()
        counting.count(now=clock.now())
        took.append((time.perf_counter() - begun) * 1000)
    return _milliseconds(took[2:])


def _milliseconds(took: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(took), 1), "worst": round(max(took), 1)}


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps({"furnish": furnish, "pages": pages}[sys.argv[1]]()))
