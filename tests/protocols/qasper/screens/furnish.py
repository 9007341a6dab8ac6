"""The QASPER project for the pictures; runs inside the site, through `manage.py shell`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from annotation import clock, registry
from annotation.models import Role, User
from tasks.engine import queues
from tests.builders import Worker, load
from tests.factories.corpus import ProjectFactory
from tests.screens.camera import SIZES


def furnish(person: Callable[..., User], *, now: datetime) -> None:
    """The sample papers; some have questions, and one question has its answer."""
    bells = ProjectFactory(slug="bells", title="Bells at sea", protocol="qasper", config={"seed": "1"}, created_at=now)
    load(bells, registry.get("qasper").demo.items, split="train", clock=clock.now)
    for activity in ("ask", "answer"):
        queues.open_queue(bells, activity, by=None, now=now)
    person(bells, "lotte", Role.LEAD)
    about = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    asked = [
        {"text": text, "answerable_from_abstract": False} for text in ("Which corpus was it?", "Is the code open?")
    ]
    writer = Worker(person(bells, "ola"), bells, "ask")
    for _ in range(4):
        writer.commit(writer.claim(now=now), "questions", about | {"questions": asked}, now=now)
    answerer = Worker(person(bells, "ivo"), bells, "answer")
    answerer.commit(answerer.claim(now=clock.now()), "answer", {"kind": "unanswerable"}, now=clock.now())
    for size in SIZES:
        person(bells, f"wren-{size}")
        person(bells, f"abel-{size}")
