"""The lists from which experts choose, on both databases: 40,000 items of five annotations, half of them disputed.

Milliseconds until a page is answered: the items of an activity from the least agreement up and the disputes to decide,
the first and the last page; one item's answers side by side and one dispute, in the middle of the list. By an expert,
who sees all but what they have worked on.

    python -m tests.bench.disputes PART      (in a site's environment: furnish or pages; prints JSON)
"""

from __future__ import annotations

import json
import sys
import time
from datetime import timedelta
from random import Random
from typing import Any

from tests.bench.agreement import BEGIN, PEOPLE, milliseconds, work
from tests.bench.databases import on_both
from tests.site import Site

ITEMS = 40_000
TIMES = 9


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, Any]:
    site.prepare()
    site.python("tests.bench.disputes", "furnish")
    return {"items": ITEMS} | json.loads(site.python("tests.bench.disputes", "pages"))


def furnish() -> dict[str, Any]:
    """A project with finished work whose similarity is known, and a disputed task of every second item."""
    from annotation.models import Item
    from tests.factories.corpus import ProjectFactory
    from tests.factories.people import UserFactory
    from tests.factories.work import ItemSimilarityFactory, QueueFactory, TaskFactory

    people = [UserFactory(username=f"annotator-{n}") for n in range(PEOPLE)]
    found = ProjectFactory(slug="lists", created_at=BEGIN)
    rng = Random("lists")
    for start in range(0, ITEMS, 1000):
        work(found, range(start, min(start + 1000, ITEMS)), people, rng)
    queue = QueueFactory.insert(project=found, state="draft", least_agreement=0.6, filled_at=None)
    items = list(Item.objects.filter(project=found).order_by("pk"))
    ItemSimilarityFactory.insert_many({"item": item, "value": round(rng.random(), 2)} for item in items)
    TaskFactory.insert_many(
        {"queue": queue, "item": item, "slots": 5, "state": "disputed" if item.position % 2 else "done"}
        for item in items
    )
    return {}


def pages() -> dict[str, Any]:
    """The milliseconds until each page is answered."""
    from django.test import Client
    from django.urls import reverse

    from annotation.models import Project, Role
    from frontend.experts import worst
    from tasks.disputes import who
    from tasks.models import ItemSimilarity
    from tests import signed_in

    project = Project.objects.get(slug="lists")
    expert = signed_in.member(project, "expert", role=Role.EXPERT)
    who.begin(expert, project, now=BEGIN + timedelta(weeks=30))
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(expert)
    rows = ItemSimilarity.objects.filter(item__position__in=range(1, ITEMS, 2)).order_by("value", "item")
    without_box = rows.exclude(item__annotations__responses__stage="short_answer")  # the items have no pages
    middle = without_box.values_list("item", flat=True)[without_box.count() // 2]
    last = f"?page={-(-ITEMS // worst.PER_PAGE)}"
    found = {
        "compared_ms": reverse("compared", args=["lists", "annotate"]),
        "compared_last_page_ms": reverse("compared", args=["lists", "annotate"]) + last,
        "compare_ms": reverse("compare", args=["lists", "annotate", middle]),
        "disputes_ms": reverse("disputes", args=["lists"]),
        "disputes_last_page_ms": reverse("disputes", args=["lists"]) + last,
        "dispute_ms": reverse("dispute", args=["lists", "annotate", middle]),
    }
    return {name: milliseconds(_took(client, address)) for name, address in found.items()}


def _took(client: Any, address: str) -> list[float]:
    took = []
    for _ in range(TIMES + 2):
        begun = time.perf_counter()
        answer = client.get(address)
        took.append((time.perf_counter() - begun) * 1000)
        assert answer.status_code == 200, (address, answer.status_code)
    return took[2:]


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps({"furnish": furnish, "pages": pages}[sys.argv[1]]()))
