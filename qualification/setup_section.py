"""The qualifications of a project in its set-up file: key, title, what it says, and its course."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import orjson
from pydantic import Field, TypeAdapter, ValidationError

from annotation import randomness
from annotation.i18n import _
from annotation.models import Project, User
from annotation.setup.schema import Wrong
from annotation.values.schemas import Payload, ProjectConfig
from qualification import granting
from qualification.courses import content, editing, pictures
from qualification.courses.content import Course
from qualification.models import Qualification

NAME = "qualifications"
"""What the section is called in the file."""


class QualificationSetup(Payload):
    """One qualification and its course, which has the right answers in it; who has it is no part of a set-up."""

    key: str = Field(max_length=60, pattern=r"^[-a-zA-Z0-9_]+$")
    title: str = Field(min_length=1, max_length=120)
    about: str = Field(default="", max_length=Qualification.LONGEST_ABOUT)
    course: Course | None = None


_SECTION = TypeAdapter(tuple[QualificationSetup, ...])


def problems(value: Any, config: ProjectConfig) -> Iterator[Wrong]:
    """What is wrong with it, keys that are there twice, and requirements that name none of its keys."""
    try:
        rows = _SECTION.validate_json(orjson.dumps([] if value is None else value), strict=True)
    except ValidationError as error:
        yield from content.wrong_places(error, NAME)
        return
    keys = [row.key for row in rows]
    for n, key in enumerate(keys):
        if key in keys[:n] or key == "new":
            yield Wrong(f"{NAME}.{n}.key", _("Another one has this key, or it can’t be used."))
        for repeated in content.repeated_keys(rows[n].course or Course()):
            yield Wrong(f"{NAME}.{n}.course: {repeated}", _("Two items or two blocks have this key."))
    for activity, its in config.activities.items():
        for n, key in enumerate(its.requires):
            if key not in keys:
                yield Wrong(
                    f"config.activities.{activity}.requires.{n}",
                    _("There is no qualification with this key under “qualifications”."),
                )


def make(project: Project, value: Any, by: User, now: datetime) -> None:
    """Make them in a new project; nobody has them yet. A course with which nothing is wrong is published."""
    for row in _SECTION.validate_json(orjson.dumps(value), strict=True):
        said = {"key": row.key, "title": row.title, "about": row.about}
        made = granting.make_qualification(project, **said, form=randomness.handle(), by=by, now=now)
        if row.course is not None:
            pictures.take_over(project, row.course, by=by, now=now)
            draft = editing.edit(made, start=row.course, by=by, now=now)
            if not editing.obstacles(row.course) and not editing.unfit_items(row.course, project):
                editing.publish(draft, edits=draft.edits, by=by, now=now)


def of_project(project: Project) -> list[dict[str, Any]] | None:
    """Those of the project with the latest version of their courses, by key; None if it has none."""
    found = []
    for row in project.qualifications.order_by("key"):
        said: dict[str, Any] = {"key": row.key, "title": row.title, "about": row.about}
        version = row.course_versions.order_by("-version").first()
        if version is not None:
            said["course"] = content.stored(editing.read(version))
        found.append(said)
    return found or None
