"""Agreement of annotations by 50 people, five of each item, on both databases.

7,830 items: seconds to measure everything from nothing, in a process of its own, and milliseconds until the numbers
include one more annotation. 60,000 items: milliseconds until a lead's page is answered, of the whole project and of
parts of it. Besides, without a database, seconds of a bootstrap of 1,000 draws over 7,830 items, each its own cluster.

    python -m tests.bench.agreement PART      (in a site's environment: furnish, more or pages; prints JSON)
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from tests.bench.databases import on_both
from tests.bench.yardstick import beside_yardstick
from tests.site import Site

ITEMS, MANY, EACH, PEOPLE, WEEKS = 7_830, 60_000, 5, 50, 20
DRAWS = 1000
BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
ENDS = ("bad", "none", "3", "8", "21")
"""What an item's annotators mostly say: that it is bad, that there is no answer, or a box."""


def measure_all() -> dict[str, object]:
    """The figures of each database, and of the bootstrap alone."""
    return on_both(_figures) | {"bootstrap": beside_yardstick(_bootstrap)}


def _figures(site: Site) -> dict[str, Any]:
    site.prepare()
    site.python("tests.bench.agreement", "furnish")
    figures: dict[str, Any] = {}
    for slug, items in (("some", ITEMS), ("many", MANY)):
        begun = time.perf_counter()
        site.manage("measure_agreement", slug)
        figures[slug] = {"items": items, "annotations": items * EACH}
        figures[slug]["from_nothing_s"] = round(time.perf_counter() - begun, 2)
    figures["some"] |= json.loads(site.python("tests.bench.agreement", "more"))
    figures["many"] |= json.loads(site.python("tests.bench.agreement", "pages"))
    return figures


def _bootstrap() -> dict[str, float]:
    import numpy as np

    from annotation.statistics import alpha, bootstrap
    from annotation.statistics.ratings import Ratings

    rng = np.random.default_rng(1)
    item = np.repeat(np.arange(ITEMS), EACH)
    person = rng.integers(0, PEOPLE, size=len(item))
    code = np.where(rng.random(len(item)) < 0.2, rng.integers(0, 5, size=len(item)), item % 5)
    each = np.arange(ITEMS)
    found = Ratings(item, person, code, tuple(range(5)), tuple(map(str, range(PEOPLE))), each, each)
    begun = time.perf_counter()
    bootstrap.estimate(alpha.nominal(found), draws=DRAWS)
    return {"draws": DRAWS, "items": ITEMS, "seconds": round(time.perf_counter() - begun, 3)}


def furnish() -> dict[str, Any]:
    """Two projects with finished work; in the end a lead of both."""
    from django.db import connection

    from tests.factories.corpus import ProjectFactory
    from tests.factories.people import UserFactory

    people = [UserFactory(username=f"annotator-{n}") for n in range(PEOPLE)]
    for slug, items in (("some", ITEMS), ("many", MANY)):
        found = ProjectFactory(slug=slug, created_at=BEGIN)
        rng = Random(slug)
        for start in range(0, items, 1000):
            work(found, range(start, min(start + 1000, items)), people, rng)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # the database does so by itself within minutes
    return {}


def work(project: Any, numbers: range, people: list[Any], rng: Random, *, each: int = EACH) -> None:
    from tests.factories.corpus import ItemFactory
    from tests.factories.record import AnnotationFactory, ResponseFactory

    items = ItemFactory.insert_many(
        {
            "project": project,
            "split": ("dev", "test")[number % 4 == 0],
            "payload": {"question_text": f"who tended light number {number}"},
            "position": number,
        }
        for number in numbers
    )
    rows, said = [], []
    for item in items:
        usual, at = rng.choice(ENDS), BEGIN + timedelta(weeks=WEEKS) * (item.position / (numbers.stop + 1))
        for person in rng.sample(people, each):
            said.append(usual if rng.random() < 0.8 else rng.choice(ENDS))
            rows.append({"item": item, "author": person, "opened_at": at, "completed_at": at})
    made = AnnotationFactory.insert_many(rows)
    ResponseFactory.insert_many(
        {"annotation": row, "stage": stage, "payload": payload}
        for row, end in zip(made, said, strict=True)
        for stage, payload in _answers(end, rng)
    )


def _answers(end: str, rng: Random) -> list[tuple[str, dict[str, Any]]]:
    if end == "bad":
        return [("question", {"verdict": "bad", "reasons": ["opinion"]})]
    good: list[tuple[str, dict[str, Any]]] = [("question", {"verdict": "good"})]
    if end == "none":
        return [*good, ("long_answer", {"kind": "none", "reason": "page"})]
    start = 10 * int(end) + rng.choice((0, 0, 0, 1))
    span = {"start": start, "end": start + 3, "quote": "Anna Berg"}
    box = {"kind": "box", "candidate": int(end), "quote": "Two keepers"}
    return [*good, ("long_answer", box), ("short_answer", {"kind": "spans", "spans": [span]})]


def more(times: int = 30) -> dict[str, Any]:
    """The milliseconds until the numbers include one more annotation."""
    from annotation.models import Item, Project
    from tasks.measuring import agreement
    from tests.factories.people import UserFactory
    from tests.factories.record import AnnotationFactory, ResponseFactory

    project, rng, took = Project.objects.get(slug="some"), Random(3), []
    late = UserFactory(username="one-more")
    now = BEGIN + timedelta(weeks=WEEKS + 1)
    items = list(Item.objects.filter(project=project).select_related("project").order_by("?")[: times + 3])
    for item in items:
        now += timedelta(minutes=2)
        row = AnnotationFactory.insert(item=item, author=late, opened_at=now, completed_at=now)
        for stage, payload in _answers(rng.choice(ENDS), rng):
            ResponseFactory(annotation=row, stage=stage, payload=payload)
        begun = time.perf_counter()
        agreement.keep(project, now=now + timedelta(minutes=1), whole=False)
        took.append((time.perf_counter() - begun) * 1000)
    return {"one_more_ms": milliseconds(took[3:])}


def pages(times: int = 15) -> dict[str, Any]:
    """The milliseconds until a lead's page is answered, of the whole project and of parts."""
    from django.test import Client

    from annotation.models import Project, Role, User
    from tests import signed_in

    project = Project.objects.get(slug="many")
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(signed_in.member(project, "lead", role=Role.LEAD))
    code = User.objects.get(username="annotator-3").worker_code
    parts = {
        "page_ms": "",
        "page_of_a_split_ms": "?split=test",
        "page_of_four_weeks_ms": "?since=2026-02-02&until=2026-03-01",
        "page_of_a_person_ms": f"?person={code}",
    }
    figures = {}
    for name, query in parts.items():
        took = []
        for _ in range(times + 2):
            begun = time.perf_counter()
            answer = client.get(f"/projects/many/agreement/{query}")
            took.append((time.perf_counter() - begun) * 1000)
            assert answer.status_code == 200, answer.status_code
        figures[name] = milliseconds(took[2:])
    return figures


def milliseconds(took: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(took), 1), "worst": round(max(took), 1)}


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps({"furnish": furnish, "more": more, "pages": pages}[sys.argv[1]]()))
