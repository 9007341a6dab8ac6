"""A project whose tutorial and exam are on the real screen; runs inside a site, through `manage.py shell`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from annotation import clock
from annotation.models import Project, User
from qualification.courses.content import Course, ExamBlock
from tasks.engine import queues
from tests.builders import Worker, load, questions, write_lines
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.qualification.courses.building import real_item, rejected_for_exams


def furnish(slug: str) -> None:
    """Ivo finds three questions ambiguous, Lotte sets them aside, and they are all that the course has."""
    project, now = Project.objects.get(slug=slug), clock.now()
    with tempfile.TemporaryDirectory() as folder:
        load(project, write_lines(Path(folder) / "items.jsonl", questions(4)), clock=clock.now)
    queues.open_queue(project, "annotate", by=None, now=now)
    ivo, lotte = (User.objects.get(username=name) for name in ("ivo", "lotte"))
    first, *others = (rejected_for_exams(Worker(ivo, project), by=lotte, now=now) for _each in range(3))
    why = {"question": "Nobody can say which of the two is meant."}
    pool = tuple(real_item(each, f"asked-{n}") for n, each in enumerate(others))
    block = ExamBlock(key="task", title="The task", draw=1, mark="1", pool=pool)
    rules = {"attempts": 1, "minutes": 10}
    wanted = Course(tutorial=(real_item(first, "worked", explanations=why),), blocks=(block,), **rules)
    CourseVersionFactory(qualification=QualificationFactory(project=project), course=wanted)
