"""A decision about 20,000 items of a list at once, of 60,000 with 300,000 annotations: withdrawn as a job, and undone.

Seconds from asking until the job is done, and of undoing it, with a served site whose background starts the job; into
how many steps its progress divided them; and, meanwhile, of somebody who finishes an item every half second in another
process, the milliseconds of each (median and worst) and how many failed. On both databases.

    python -m tests.bench.lists.deciding PART      (in a site's environment: decide, undo or work; prints JSON)
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import Any

from tests.bench import board
from tests.bench.databases import on_both
from tests.bench.lists import lead_pages
from tests.site import Site

ITEMS, OPEN = 20_000, 5_000
STUCK = 300
"""Seconds without progress after which a job is not waited for."""


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, Any]:
    lead_pages.prepare(site)
    return measure(site)


def measure(site: Site) -> dict[str, Any]:
    """The same of a site that is prepared."""
    site.python("tests.bench.lists.deciding", "open")
    site.start()
    try:
        command = [site.interpreter, "-m", "tests.bench.lists.deciding", "work"]
        worker = subprocess.Popen(
            command, cwd=site.checkout, env=site.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        found = {part: json.loads(site.python("tests.bench.lists.deciding", part)) for part in ("decide", "undo")}
        worked, _errors = worker.communicate("stop\n")
    finally:
        site.stop()
    locked = site.log.read_text(encoding="utf-8").count("database is locked")
    return found | {"somebody_at_work": json.loads(worked), "locked_in_the_log": locked}


def decide() -> dict[str, Any]:
    """Withdraw the first so many items; returns what `_followed` does."""
    from annotation import clock
    from annotation.models import Item, Project
    from frontend.leads.items import bulk_job
    from frontend.leads.items.bulk_decisions import BulkDecision
    from frontend.leads.items.filters import Filter

    project, lead = Project.objects.get(slug="many"), _lead()
    every = list(Item.objects.filter(project=project).order_by("pk").values_list("pk", flat=True)[:ITEMS])
    begun = time.perf_counter()
    bulk_job.listing.matching = lambda _project, _wanted: Item.objects.filter(  # type: ignore[assignment]
        project=project, pk__gte=every[0], pk__lte=every[-1]
    )
    job = bulk_job.ask(project, Filter(), BulkDecision("withdraw", "", "bench", 0), by=lead, now=clock.now())
    return {"asked_s": round(time.perf_counter() - begun, 2)} | _followed(job.pk)


def undo() -> dict[str, Any]:
    """Undo that; returns what `_followed` does."""
    from annotation import clock
    from annotation.models import Job
    from frontend.leads.items import bulk_job

    job = Job.objects.filter(kind=bulk_job.KIND).latest("pk")
    return _followed(bulk_job.ask_undo(job, by=_lead(), now=clock.now()).pk)


def _lead() -> Any:
    from annotation.models import Project, Role
    from tests import signed_in

    project = Project.objects.get(slug="many")
    found = project.memberships.filter(role=Role.LEAD).first()
    return found.user if found else signed_in.member(project, "lead", role=Role.LEAD)


def _followed(key: int) -> dict[str, Any]:
    """Seconds until a job has ended, how it ended, and how many different numbers its progress showed."""
    from annotation.models import Job

    begun, seen = time.perf_counter(), set()
    moved = begun
    while time.perf_counter() - moved < STUCK:
        job = Job.objects.get(pk=key)
        if job.done not in seen:
            seen.add(job.done)
            moved = time.perf_counter()
        if job.finished_at is not None:
            break
        time.sleep(0.25)
    took = round(time.perf_counter() - begun, 1)
    return {"seconds": took, "state": job.state, "error": job.error, "done": job.done, "steps": len(seen)}


def add_open_items() -> dict[str, Any]:
    """Items for whoever is at work meanwhile, more than one person finishes."""
    from annotation.models import Project
    from tests.factories.corpus import ItemFactory
    from tests.factories.work import TaskFactory

    project = Project.objects.get(slug="many")
    queue = project.queues.get()
    items = ItemFactory.insert_many(
        {
            "project": project,
            "split": "dev",
            "external_id": f"meanwhile-{n}",
            "payload": {"question_text": f"who lit light number {n}"},
            "position": 2 * board.ITEMS + n,
        }
        for n in range(OPEN)
    )
    TaskFactory.insert_many({"queue": queue, "item": item, "slots": 1, "state": "open"} for item in items)
    return {"open": len(items)}


def work() -> dict[str, Any]:
    """Finish items until a line comes in; the milliseconds of each, and what failed."""
    import select

    from annotation.models import Project
    from tests import signed_in
    from tests.builders import Worker

    worker = Worker(signed_in.member(Project.objects.get(slug="many"), "one-more"), Project.objects.get(slug="many"))
    took: list[float] = []
    failed: list[str] = []
    while not select.select([sys.stdin], [], [], 0.5)[0]:
        begun = time.perf_counter()
        try:
            worker.finish_bad()
        except Exception as error:  # what fails is what is measured
            failed.append(f"{type(error).__name__}: {error}"[:120])
        took.append((time.perf_counter() - begun) * 1000)
    return {
        "n": len(took),
        "median_ms": round(statistics.median(took), 1),
        "worst_ms": round(max(took), 1),
        "failed": len(failed),
        "errors": sorted(set(failed)),
    }


if __name__ == "__main__":
    import django

    django.setup()
    parts = {"open": add_open_items, "decide": decide, "undo": undo, "work": work}
    print(json.dumps(parts[sys.argv[1]]()))
