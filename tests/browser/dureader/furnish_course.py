"""A project with the demo's course, in part on the real screen; runs inside a site."""

from __future__ import annotations

from typing import Any

import yaml

from annotation import clock
from annotation.models import Item, Project, User
from annotation.protocols.dureader import demo
from qualification import setup_section
from tasks.engine import queues
from tasks.items import setting_aside
from tests.builders import load

KEY = "dureader-compose"


def furnish(slug: str, lead: str) -> None:
    """Lead `lead` sets the questions of the exam aside and makes the course."""
    project, by, now = Project.objects.get(slug=slug), User.objects.get(username=lead), clock.now()
    load(project, demo.EXAM_QUESTIONS, clock=clock.now)
    setting_aside.set_aside(Item.objects.filter(project=project), by=by, reason="They are asked in the exam.", now=now)
    setup_section.make(project, [course_of_demo()], by, now)
    queues.open_queue(project, "compose", by=None, now=now)


def course_of_demo() -> dict[str, Any]:
    """The demo's course, as it stands in its file."""
    [found] = yaml.safe_load(demo.COURSES.read_text(encoding="utf-8"))
    return found
