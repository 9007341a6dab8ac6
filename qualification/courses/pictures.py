"""The pictures of a course: documents like others, which items name by the sha-256 of their bytes.

A project has the pictures that its leads have added, and those of a set-up whose maker leads another project that has
them. Whoever knows the hash of a picture elsewhere gets nothing by it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from functools import lru_cache

from django.db import transaction
from django.db.models import QuerySet

from annotation import events, membership
from annotation.documents import images
from annotation.documents.images import Size
from annotation.errors import NotFound
from annotation.models import Document, Project, User
from annotation.storage import blobs
from qualification.courses.content import ChoiceItem, Course, CourseItem
from qualification.models import CoursePicture


@transaction.atomic
def keep(project: Project, data: bytes, *, by: User | None, now: datetime) -> str:
    """Keep a picture for the courses of a project; its sha-256. ImageRefused for what is no picture, or too large."""
    media_type, _size = images.check(data)
    packed = blobs.pack(data)
    blobs.insert([packed])
    made = {"media_type": media_type, "length": len(data)}
    document, _new = Document.objects.get_or_create(sha256=packed.sha256, defaults=made)
    _take(project, [document], by=by, now=now)
    return packed.sha256


@transaction.atomic
def take_over(project: Project, course: Course, *, by: User, now: datetime) -> None:
    """Give the project those pictures of a course that it lacks, and that another project led by this person has."""
    lacking = missing(course, project)
    rows = CoursePicture.objects.filter(project__in=membership.leads(by).values("project"))
    rows = rows.filter(document__sha256__in=lacking) if lacking else rows.none()
    _take(project, Document.objects.filter(pk__in=rows.values("document")).order_by("sha256"), by=by, now=now)


def missing(course: Course, project: Project) -> list[str]:
    """The sha-256 of each picture of the course that the project does not have, in the order of the course."""
    named = course.pictures()
    kept = kept_of(project, named)
    return [sha256 for sha256 in named if sha256 not in kept]


def kept_of(project: Project, named: Collection[str]) -> frozenset[str]:
    """Which of these pictures the project has, by their sha-256."""
    rows = _pictures_of(project).filter(document__sha256__in=named) if named else CoursePicture.objects.none()
    return frozenset(rows.values_list("document__sha256", flat=True))


def items_without(course: Course, project: Project) -> list[CourseItem]:
    """The items of which a picture is missing in the project."""
    lacking = set(missing(course, project))
    items = course.items().values() if lacking else ()
    return [
        item for item in items if isinstance(item, ChoiceItem) and lacking & {each.sha256 for each in item.pictures}
    ]


def document_of(project: Project, sha256: str) -> Document:
    """The document of a picture; NotFound if the project does not have it."""
    row = _pictures_of(project).select_related("document").filter(document__sha256=sha256).first()
    if row is None:
        raise NotFound
    return row.document


def data_of(document: Document) -> bytes:
    """Its bytes."""
    return blobs.read(document.sha256)


@lru_cache(maxsize=4096)
def picture_size(sha256: str) -> Size:
    """Width and height in pixels of a picture that is kept, cached per process; UNKNOWN if it is gone."""
    try:
        return images.size_in(blobs.read(sha256))
    except blobs.Missing:
        return images.UNKNOWN


def _pictures_of(project: Project) -> QuerySet[CoursePicture]:
    return CoursePicture.objects.filter(project=project)


def _take(project: Project, documents: Iterable[Document], *, by: User | None, now: datetime) -> None:
    for document in documents:
        _row, is_new = CoursePicture.objects.get_or_create(project=project, document=document, defaults={"at": now})
        if is_new:
            events.record("course.picture_added", project, by=by, now=now, sha256=document.sha256)
