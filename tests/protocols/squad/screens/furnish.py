"""The project of SQuAD for the pictures; runs inside the site, by `manage.py shell`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from annotation import clock, registry
from annotation.models import Project, Role, User
from tasks.engine import assignments, queues
from tests.builders import Worker, load
from tests.factories.corpus import ProjectFactory
from tests.screens.camera import SIZES
from tests.texts.languages import STORIES, StoryInLanguage


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
    for language, story in STORIES.items():
        lighthouse = _in_language(language, story, now=now)
        for size in SIZES:
            person(lighthouse, f"vera-{size}")


def _in_language(language: str, story: StoryInLanguage, *, now: datetime) -> Project:
    project = ProjectFactory(
        slug=f"lighthouse-{language}", title=story.title, protocol="squad", config={"seed": "1"}, created_at=now
    )
    qas = [{"question": story.question, "id": f"{number:024x}", "answers": []} for number in range(len(SIZES))]
    article = {"title": story.title, "paragraphs": [{"context": story.text, "qas": qas}]}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dev.json"
        path.write_text(json.dumps({"version": "v1.1", "data": [article]}), encoding="utf-8")
        load(project, path, clock=clock.now)
    queues.open_queue(project, "answer", by=None, now=now)
    return project
