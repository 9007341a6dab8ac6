"""Choosing an item of the work for a course: in the list of items, which leads to its answers, or from its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from annotation import registry
from annotation.errors import NotFound
from annotation.models import Item, Project, User
from annotation.protocol import Activity
from frontend import access
from frontend.leads.courses import overview
from frontend.leads.items.filters import Filter
from qualification.courses import editing, pieces
from qualification.courses.content import Course
from qualification.models import Qualification

BETWEEN = "."
"""What stands between the parts of a place in an address; keys have none."""


@dataclass(frozen=True)
class Choosing:
    """For which part of which draft, and for work in which activity, the list of items is looked through."""

    qualification: Qualification
    part: str
    part_title: str
    activity: Activity

    @property
    def into(self) -> str:
        """What the address of an item's page of references begins with; its key comes last."""
        where = [self.qualification.project.slug, self.qualification.key, self.part, self.activity.key, 0]
        return reverse("course_references", args=where).removesuffix("0/")

    @property
    def back(self) -> str:
        """The page of the part."""
        return reverse("course_part", args=[self.qualification.project.slug, self.qualification.key, self.part])


def choosing_of(user: User, project: Project, wanted: Filter) -> Choosing | None:
    """What the address of the list says that it is looked through for; None for nothing that there is."""
    names = wanted.exam.split(BETWEEN)
    if len(names) != 3:
        return None
    qualification, part, activity = names
    found = next((each for each in examinable_in(project) if each.key == activity), None)
    try:
        draft = access.led_draft(user, project.slug, qualification)
        title = overview.part_title(editing.read(draft), part)
    except NotFound:
        return None
    return Choosing(draft.qualification, part, title, found) if found and part != pieces.BLOCKS else None


def lists_for(qualification: Qualification, part: str) -> list[tuple[str, str]]:
    """The activities whose items a part can have: the title of each, and the list of these items to choose from."""
    project = qualification.project
    found = []
    for activity in examinable_in(project):
        wanted = Filter(exam=BETWEEN.join((qualification.key, part, activity.key)))
        found.append((gettext(activity.title), f"{reverse('items', args=[project.slug])}?{wanted.address()}"))
    return found


def examinable_in(project: Project) -> list[Activity]:
    """The activities of the project whose items an exam can ask."""
    return [each for each in registry.get(project.protocol).activities if each.can_be_examined]


def places_for(item: Item) -> dict[str, Any] | None:
    """Where an item can be put from its own page: `where`, the value and the title of each part of each course; the
    `activities` in which it can be asked. None if there is no such activity.

    A course without a draft is named with the parts that its draft would begin with.
    """
    activities = [each for each in examinable_in(item.project) if each.kind == item.kind]
    if not activities:
        return None
    where = [
        (BETWEEN.join((row.key, part)), f"{row.title} · {title}")
        for row in item.project.qualifications.order_by("pk")
        for part, title in _parts(_course_of(row))
    ]
    return {"where": where, "activities": [(each.key, gettext(each.title)) for each in activities]}


def split_place(text: str) -> tuple[str, str]:
    """The keys of the qualification and of the part that the value of a place names; NotFound if it names none."""
    key, _dot, part = text.partition(BETWEEN)
    if not key or not part:
        raise NotFound
    return key, part


def _course_of(qualification: Qualification) -> Course:
    """The draft, or what it would begin with."""
    rows = qualification.course_versions.order_by("-version")
    latest = rows.first()
    return editing.read(latest) if latest else Course()


def _parts(course: Course) -> list[tuple[str, str]]:
    return [
        (pieces.TUTORIAL, overview.part_title(course, pieces.TUTORIAL)),
        *((block.key, block.title) for block in course.blocks),
    ]
