"""Items of a course as leads read them, of either kind: multiple choice, or an item of the work with its references."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext
from pydantic import ValidationError

from annotation import registry
from annotation.engine import loading
from annotation.errors import NotFound
from annotation.models import Item, Project
from annotation.protocol import Activity
from frontend.courses.shown import ShownPicture, shown_picture
from frontend.leads.items import overview
from qualification.courses import pictures, real_items
from qualification.courses.content import ChoiceItem, CourseItem
from qualification.courses.real_items import RealItem, Reference
from qualification.models import Qualification


@dataclass(frozen=True)
class RealOnPage:
    """What a page says of an item of the work: its activity, its address ("" if the project has no such item), what
    each reference says (none of one that can't be read), explanations by the title of their stage, and a sentence on
    why it can't be asked, or "".
    """

    activity: str
    url: str
    references: list[list[overview.ReadableAnswer]]
    explanations: list[tuple[str, str]]
    problem: str


@dataclass(frozen=True)
class ItemOnPage:
    """An item, and what it says of the work; None for multiple choice."""

    item: CourseItem
    real: RealOnPage | None

    @property
    def heading(self) -> str:
        """What it is called where it stands in a list: all of its stem, or its title."""
        return self.item.stem if isinstance(self.item, ChoiceItem) else self.item.title


def items_on_page(project: Project, items: Iterable[Any]) -> list[ItemOnPage]:
    """Items of a course, in their order."""
    return [ItemOnPage(item, real_on_page(project, item) if isinstance(item, RealItem) else None) for item in items]


def real_on_page(project: Project, real: RealItem) -> RealOnPage:
    """What is said of an item of the work; one that the project lacks, or whose activity it lacks, is shown, too."""
    item, problem = real_items.item_of(project, real), real_items.why_unfit(project, real)
    try:
        activity = real_items.activity_of(project, real)
    except NotFound:
        activity = None
    return RealOnPage(
        activity=gettext(activity.title) if activity else real.activity,
        url=reverse("item", args=[project.slug, item.pk]) if item else "",
        references=[_said_by(item, activity, each) for each in real.references] if item and activity else [],
        explanations=_explanations(activity, real),
        problem=gettext(problem) if problem else "",
    )


def said_by_reference(item: Item, activity: Activity, reference: Reference) -> list[overview.ReadableAnswer]:
    """What a reference says, as pages show it; ValidationError or KeyError if it does not fit the activity."""
    said = real_items.reference_record(activity, reference).answers
    return overview.readable_answers(registry.get(item.project.protocol), activity, said, loading.item_record(item))


def pictures_of(qualification: Qualification, item: ChoiceItem) -> list[ShownPicture]:
    """Its pictures; those that the project lacks have no address."""
    kept = pictures.kept_of(qualification.project, [each.sha256 for each in item.pictures])
    return [shown_picture(each, picture_url(qualification, each.sha256, kept)) for each in item.pictures]


def picture_url(qualification: Qualification, sha256: str, kept: Collection[str]) -> str:
    """Where a lead sees a picture of a course; "" unless it is one of those that are kept."""
    where = [qualification.project.slug, qualification.key, sha256]
    return reverse("course_picture", args=where) if sha256 in kept else ""


def stages_of(activity: Activity) -> Sequence[tuple[str, str]]:
    """Key and title of each of its stages."""
    return [(stage.key, gettext(stage.title)) for stage in activity.stages]


def _said_by(item: Item, activity: Activity, reference: Reference) -> list[overview.ReadableAnswer]:
    try:
        return said_by_reference(item, activity, reference)
    except (ValidationError, KeyError):
        return []


def _explanations(activity: Activity | None, real: RealItem) -> list[tuple[str, str]]:
    """By the title of their stage, in the order of the work; those of stages that it does not have come last."""
    titles = dict(stages_of(activity)) if activity else {}
    order = [*titles, *(key for key in real.explanations if key not in titles)]
    return [(titles.get(key, key), real.explanations[key]) for key in order if real.explanations.get(key)]
