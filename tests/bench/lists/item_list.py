"""The list of items with 20,000 items, 300,000 annotations and 200 people: ms of a whole page, by its query.

Each is asked as a lead's browser does, through views and templates; the median of seven, on both databases.
"""

from __future__ import annotations

import json

from tests.bench.databases import on_both
from tests.site import Site

ITEMS, EACH, PEOPLE = 20_000, 15, 200
CODE = f"""
import json, statistics, time
from datetime import timedelta
from random import Random
from django.db import connection
from django.test import Client
from django.urls import reverse
from annotation import clock, search
from tests.factories.corpus import ItemFactory, ProjectFactory
from tests.factories.people import MembershipFactory, UserFactory
from tests.factories.record import AnnotationFactory, FlagFactory
from tests.factories.work import AssignmentFactory, LeaseFactory, ItemSimilarityFactory, QueueFactory, TaskFactory
rng, now = Random("items"), clock.now()
words = "who what where lamp light tower keeper sea bridge bee clock river stone glass tide paper".split()
nq = ProjectFactory(slug="bench", created_at=now)
people = UserFactory.insert_many(dict(username=f"p{{n}}", worker_code=f"code{{n}}") for n in range({PEOPLE}))
lead = UserFactory(username="lead")
MembershipFactory(project=nq, user=lead, role="lead", since=now)
queue = QueueFactory.insert(project=nq, filled_at=None)
leases = LeaseFactory.insert_many(
    dict(annotator=p, queue=queue, opened_at=now, expires_at=now, closed_at=now) for p in people)
for start in range(0, {ITEMS}, 1000):
    items = ItemFactory.insert_many(dict(project=nq, position=n, split="train" if n % 10 else "dev",
        payload={{"question_text": f"{{' '.join(rng.choices(words, k=9))}} {{n}}"}})
        for n in range(start, start + 1000))
    search.index_captions(items, protocol="nq")
    tasks = TaskFactory.insert_many(dict(queue=queue, item=i, slots={EACH}, order=i.pk,
        state=rng.choice(["open", "full", "done", "done", "disputed"])) for i in items)
    rows = [(task, rng.sample(range({PEOPLE}), {EACH})) for task in tasks]
    made = AnnotationFactory.insert_many(dict(item=task.item, author=people[p], opened_at=now,
        completed_at=now - timedelta(minutes=rng.randrange(40_000)),
        **({{"excluded_at": now, "exclusion_reason": "x"}} if rng.random() < .01 else {{}}))
        for task, who in rows for p in who)
    AssignmentFactory.insert_many(dict(task=task, lease=leases[p], slot=slot, annotation=made[at * {EACH} + slot],
        state="skipped" if rng.random() < .02 else "submitted")
        for at, (task, who) in enumerate(rows) for slot, p in enumerate(who))
    ItemSimilarityFactory.insert_many(dict(item=i, annotations={EACH}, value=rng.random()) for i in items)
    FlagFactory.insert_many(dict(item=i, author=people[0], at=now) for i in items if rng.random() < .01)
with connection.cursor() as cursor:
    cursor.execute("ANALYZE")
client = Client(SERVER_NAME="127.0.0.1")
client.force_login(lead)
day = (now - timedelta(days=3)).date().isoformat()
QUERIES = ["", "page=200", "split=dev", "state=done", "state=disputed", "state=none", "state=at_work", "q=lamp keeper",
    "q=zebra", "q=1999", "person=code7", "person=code7&skipped=1", "skipped=1", "reported=1", "excluded=1",
    f"since={{day}}", f"person=code7&since={{day}}", "activity=annotate", "sort=-order", "sort=id", "sort=-finished",
    "sort=finished", "sort=annotations", "sort=-annotations", "sort=agreement", "sort=agreement&state=done&q=tower",
    f"sort=-finished&skipped=1&since={{day}}&split=train"]
found, size = {{}}, 0
for query in QUERIES:
    times = []
    for _ in range(8):
        begun = time.perf_counter()
        answer = client.get(reverse("items", args=["bench"]) + "?" + query)
        times.append((time.perf_counter() - begun) * 1000)
        assert answer.status_code == 200
    found[query or "all"] = round(statistics.median(times[1:]), 1)
    size = max(size, len(answer.content))
print("FIGURES", json.dumps({{"items": {ITEMS}, "annotations": {ITEMS} * {EACH}, "people": {PEOPLE},
    "largest_page_bytes": size, "worst_ms": max(found.values()), "median_ms": found}}))
"""


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, object]:
    site.manage("migrate", "--verbosity", "0")
    site.manage("collectstatic", "--noinput", "--verbosity", "0")
    return json.loads(site.manage("shell", "-c", CODE).split("FIGURES", 1)[1])
