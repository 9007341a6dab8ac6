"""Every page of a lead at 300,000 annotations of 60,000 items by 200 people, with 5,000 disputes and 600 reports.

Milliseconds until a page is answered, with the counts in its tabs and, of the list of items, the exact number that its
filter leaves; the median of seven, through views and templates, on both databases.

    python -m tests.bench.lists.lead_pages PART      (in a site's environment: furnish or pages; prints JSON)
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from datetime import timedelta
from typing import Any

from tests.bench import board
from tests.bench.databases import on_both
from tests.site import Site

TIMES = 7
DISPUTED, REPORTED = 5_000, 600


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, Any]:
    prepare(site)
    found = json.loads(site.python("tests.bench.lists.lead_pages", "pages"))
    worst = max(found, key=lambda name: found[name])
    return {"annotations": board.ITEMS * board.EACH, "worst": {worst: found[worst]}, "median_ms": found}


def prepare(site: Site) -> None:
    """A site with that project, whose work is counted and measured."""
    site.prepare()
    site.python("tests.bench.board", "furnish")
    site.python("tests.bench.lists.lead_pages", "furnish")
    for command in (["count_work"], ["count_work", "--board", "many"], ["measure_agreement", "many"]):
        site.manage(*command)


def furnish() -> dict[str, Any]:
    """What waits for a lead of the project of `board`: disputes and reports."""
    from annotation import clock
    from annotation.db import analyze
    from annotation.models import Item, Project, User
    from tasks.models import Task
    from tests.factories.people import MembershipFactory
    from tests.factories.record import FlagFactory

    project = Project.objects.get(slug="many")
    every = board.ITEMS // DISPUTED
    disputed = Item.objects.filter(project=project, position__in=range(0, board.ITEMS, every)).values("pk")
    Task.objects.filter(item__in=disputed).update(state="disputed")
    author, now = User.objects.get(username="annotator-1"), clock.now()
    items = Item.objects.filter(project=project, position__in=range(1, board.ITEMS, board.ITEMS // REPORTED))
    FlagFactory.insert_many({"item": item, "author": author, "at": now} for item in items)
    people = User.objects.filter(username__startswith="annotator-")
    MembershipFactory.insert_many({"project": project, "user": person, "since": now} for person in people)
    analyze.analyze(Task)
    return {}


def pages() -> dict[str, float]:
    """The milliseconds until each page is answered."""
    from django.test import Client
    from django.urls import reverse

    from annotation import clock
    from annotation.models import Item, Project, Role, User
    from frontend.leads.tabs import TABS
    from tests import signed_in

    project = Project.objects.get(slug="many")
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(signed_in.member(project, "lead", role=Role.LEAD))
    code = User.objects.get(username="annotator-3").worker_code
    since = (clock.now() - timedelta(days=27)).date()
    item = Item.objects.filter(project=project, position=12).get()
    names = [*(tab.name for tab in TABS), "pay", "pay_csv", "reports", "new_release", "splits"]
    addresses = {name: reverse(name, args=["many"]) for name in names}
    addresses |= {
        "person": reverse("person", args=["many", code]),
        "item": reverse("item", args=["many", item.pk]),
        "item_in_a_list": reverse("item", args=["many", item.pk]) + "?state=ended&at=2",
        "pay_of_four_weeks": f"{addresses['pay']}?since={since}",
        "time_of_a_person": reverse("project_time_of", args=["many", code]),
    }
    queries = ("page=900", "split=dev", "state=done", "state=ended", "state=disputed", "state=none", "state=at_work",
        f"person={code}", f"person={code}&skipped=1", "skipped=1", "reported=1", f"since={since}", "sort=-finished",
        "sort=-annotations", "sort=agreement")  # fmt: skip
    addresses |= {f"items {query.replace(code, 'CODE')}": f"{addresses['items']}?{query}" for query in queries}
    return {name: _median(client, address) for name, address in addresses.items()}


def _median(client: Any, address: str) -> float:
    took = []
    for _ in range(TIMES + 1):
        begun = time.perf_counter()
        answer = client.get(address)
        list(answer.streaming_content if answer.streaming else [answer.content])
        took.append((time.perf_counter() - begun) * 1000)
        assert answer.status_code == 200, (address, answer.status_code)
    return round(statistics.median(took[1:]), 1)


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps({"furnish": furnish, "pages": pages}[sys.argv[1]]()))
