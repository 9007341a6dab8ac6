"""The project of SQuAD for the pictures; runs inside the site, by `manage.py shell`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from annotation import clock, registry
from annotation.models import Role, User
from tasks.engine import assignments, queues
from tests.builders import Worker, load
from tests.factories.corpus import ProjectFactory
from tests.screens.camera import SIZES


def furnish(person: Callable[..., User], *, now: datetime) -> None:
    """The sample paragraphs; two were asked about, and some of the questions were answered."""
    demo = registry.get("squad").demo
    mills = ProjectFactory(
        slug="beehives", title="Mills and bees", protocol="squad", config={"seed": "1"}, created_at=now
    )
    load(mills, demo.items, split="dev", clock=clock.now)
    for activity in ("ask", "answer"):
        queues.open_queue(mills, activity, by=None, now=now)
    person(mills, "lotte", Role.LEAD)
    for name, activity, pieces in (("mia", "ask", 2), ("nils", "answer", 6), ("olga", "answer", 6)):
        worker = Worker(person(mills, name), mills, activity)
        for _ in range(pieces):
            held = worker.claim(now=clock.now())
            work = assignments.work_of(held)
            payload = demo.answer(work.sheet(work.current), work.item.external_id, None)
            worker.commit(held, work.current, payload, now=clock.now())
    for size in SIZES:
        person(mills, f"ada-{size}")
        person(mills, f"ben-{size}")
