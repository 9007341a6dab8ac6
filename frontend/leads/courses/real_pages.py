"""The page on which leads put an item of the work into a course: its answers as references, and what it takes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext

from annotation import clock
from annotation.errors import NotFound, WrongMove
from annotation.models import Item, User
from annotation.protocol import Activity
from frontend.leads.courses import overview as course_pages
from frontend.leads.courses import saving
from frontend.leads.courses.real_forms import RealItemForm, answers_to_take
from frontend.leads.items import exam_decisions
from frontend.leads.items.overview import prompt_of
from frontend.wording import noun_of_item
from qualification import tries
from qualification.courses import editing, pieces, real_items
from qualification.courses.content import Course
from qualification.courses.real_items import ItemName, RealItem
from qualification.models import CourseVersion
from tasks.items import setting_aside


@dataclass(frozen=True)
class ItemPlace:
    """Where in a draft an item of the work stands or is to stand: its part, and its key; "" for a new one."""

    draft: CourseVersion
    part: str
    key: str
    item: Item
    activity: Activity

    @property
    def before(self) -> RealItem | None:
        """What stands there."""
        row = pieces.pieces_of(editing.read(self.draft), self.part)
        return next((each for each in row if isinstance(each, RealItem) and each.key == self.key), None)

    @property
    def url(self) -> str:
        """The address of its page."""
        where = [self.draft.qualification.project.slug, self.draft.qualification.key, self.part]
        if self.key:
            return reverse("course_item", args=[*where, self.key])
        return reverse("course_references", args=[*where, self.activity.key, self.item.pk])


def new_place(draft: CourseVersion, part: str, item: Item, activity: str) -> ItemPlace:
    """The place of a new item at the end of a part; NotFound for an activity or part that can't have it."""
    found = next((each for each in examinable_activities(item) if each.key == activity), None)
    if found is None or part == pieces.BLOCKS:
        raise NotFound
    pieces.pieces_of(editing.read(draft), part)
    return ItemPlace(draft, part, "", item, found)


def place_of(draft: CourseVersion, part: str, real: RealItem) -> ItemPlace | None:
    """The place of an item that is there; None if the project has no such item or activity (any more)."""
    item = real_items.item_of(draft.qualification.project, real)
    found = [each for each in examinable_activities(item) if each.key == real.activity] if item else []
    return ItemPlace(draft, part, real.key, item, found[0]) if item and found else None


def examinable_activities(item: Item) -> list[Activity]:
    """The activities in which an exam can ask it."""
    return [each for each in tries.activities_of(item) if each.can_be_examined]


def real_form(place: ItemPlace, sent: Any = None, chosen: Any = ()) -> RealItemForm:
    """The form as it was sent, or with what stands there and the answers `chosen` beside it."""
    before = place.before
    choices = answers_to_take(place.item, place.activity, before.references if before else ())
    in_work = place.item.set_aside_at is None
    if sent is not None:
        return RealItemForm(place.activity, choices, sent, in_work=in_work)
    values: dict[str, Any] = {"title": prompt_of(place.item)[:200]}
    if before:
        values = RealItemForm.values_of(before, choices)
    values["reference"] = [*values.get("reference", ()), *chosen]
    return RealItemForm(place.activity, choices, in_work=in_work, initial=values | {"edits": place.draft.edits})


def real_context(place: ItemPlace, form: RealItemForm) -> dict[str, Any]:
    """What the page shows."""
    item = place.item
    leaving = exam_decisions.set_aside_decision(item) if form.in_work else None
    return course_pages.part_context(place.draft, place.part) | {
        "key": place.key,
        "item": item,
        "here": place.url,
        "noun": noun_of_item(item),
        "prompt": prompt_of(item),
        "activity": gettext(place.activity.title),
        "form": form,
        "leaving": leaving,
    }


def save_real(place: ItemPlace, form: RealItemForm, *, by: User) -> int | None:
    """Write the item of a valid form into the draft, and set it aside if it is in the work; both or neither.

    None, or the status of the refusal, of which the form says why.
    """

    def change(course: Course) -> Course:
        known = place.before is not None
        key = place.key if known else pieces.free_key(pieces.keys(course))
        return pieces.with_piece(course, place.part, form.item(key, name_of(place.item)))

    if (part := _part_with(place)) is not None:
        where = course_pages.part_title(editing.read(place.draft), part)
        form.add_error(None, gettext("The course has this item already, in “%(part)s”.") % {"part": where})
        return 409
    with transaction.atomic():
        try:
            if form.in_work:
                reason = form.cleaned_data["reason"]
                setting_aside.set_aside([place.item], by=by, reason=reason, now=clock.now())
        except WrongMove as refused:
            form.add_error(None, str(refused.message))
            return 409
        title = form.cleaned_data["title"]
        status = saving.save(place.draft, form, change, by=by, what="item", title=title, sources=form.sources())
        if status:
            transaction.set_rollback(True)
    return status


def name_of(item: Item) -> ItemName:
    """By what a course names it."""
    return ItemName(kind=item.kind, id=item.external_id)


def _part_with(place: ItemPlace) -> str | None:
    """The part in which the course has the same item in the same activity elsewhere."""
    course = editing.read(place.draft)
    name = name_of(place.item)
    for real in course.real_items():
        if (real.item, real.activity) == (name, place.activity.key) and real.key != place.key:
            return pieces.part_of(course, real.key)
    return None
