"""Where a candidate's pages get the pictures of an item from: addresses that say which item is asked, and no hash.

A picture is served as long as its item may be seen: in the tutorial, and in an exam while the item is the next one.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.urls import reverse

from annotation.errors import NotFound
from annotation.models import Project
from frontend.work import frames
from qualification.courses import pictures
from qualification.courses.content import ChoiceItem, CourseItem
from qualification.models import Attempt, Qualification


def in_tutorial(qualification: Qualification, item: str) -> Callable[[int], str]:
    """The address of a picture of a tutorial item by its place, from 0."""
    return lambda n: reverse("tutorial_picture", args=[qualification.project.slug, qualification.key, item, n])


def in_exam(attempt: Attempt, place: int) -> Callable[[int], str]:
    """The address of a picture of the item at a place of the form, by its own place, from 0."""
    return lambda n: reverse("exam_picture", args=[attempt.uuid, place, n])


def response(project: Project, item: CourseItem, n: int) -> HttpResponse:
    """The picture of an item; the browser may keep it for an hour, privately. NotFound if there is none."""
    if not isinstance(item, ChoiceItem) or n >= len(item.pictures):
        raise NotFound
    return by_sha256(project, item.pictures[n].sha256)


def by_sha256(project: Project, sha256: str) -> HttpResponse:
    """A picture that the project has for its courses, likewise."""
    found = pictures.document_of(project, sha256)
    return frames.image_to_keep(pictures.data_of(found), found.media_type)
