"""The page on which leads put an item of the work into a course: its answers as references, and what it takes out.

What was typed there is kept in the session while a lead writes a reference on the work screen, an ordinary trial.
"""

from __future__ import annotations

import uuid as uuids
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext

from annotation import clock, registry
from annotation.errors import NotFound, WrongMove
from annotation.models import Item, Project, User
from annotation.protocol import Activity
from frontend import access
from frontend.leads.courses import arranging, overview
from frontend.leads.courses.real_forms import RealItemForm, answers_to_take
from frontend.leads.items import exam_decisions
from frontend.leads.items.filters import Filter
from frontend.leads.items.overview import prompt_of
from frontend.requests import AuthedRequest
from frontend.wording import noun_of_item
from qualification import tries
from qualification.courses import editing, pieces, real_items
from qualification.courses.content import Course
from qualification.courses.real_items import ItemName, RealItem
from qualification.models import CourseVersion, Qualification, Try
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
    return overview.part_context(place.draft, place.part) | {
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
        where = overview.part_title(editing.read(place.draft), part)
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
        status = arranging.save(place.draft, form, change, by=by, what="item", title=title, sources=form.sources())
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


KEPT_PAGES = "references_begun"
MOST_KEPT = 5
"""Pages of references that are kept for a session, the latest ones."""


def keep_sent(request: AuthedRequest, trial: uuids.UUID, url: str) -> None:
    """Keep what was sent to the page of references at `url`, from which the trial was begun."""
    begun = [each for each in request.session.get(KEPT_PAGES, []) if each["url"] != url]
    sent = request.POST.copy()
    for name in ("csrfmiddlewaretoken", "go"):
        sent.pop(name, None)
    request.session[KEPT_PAGES] = [*begun, {"url": url, "trial": str(trial), "sent": sent.urlencode()}][-MOST_KEPT:]


def kept_sent(request: AuthedRequest, url: str) -> QueryDict | None:
    """What was kept of the page at this address, with the answers that the address of the request names; None if
    nothing was.
    """
    found = next((each for each in request.session.get(KEPT_PAGES, []) if each["url"] == url), None)
    if found is None:
        return None
    sent = QueryDict(found["sent"], mutable=True)
    for answer in request.GET.getlist("answer"):
        if answer not in sent.getlist("reference"):
            sent.appendlist("reference", answer)
    return sent


def forget_sent(request: AuthedRequest, url: str) -> None:
    """It was saved."""
    if KEPT_PAGES in request.session:
        request.session[KEPT_PAGES] = [each for each in request.session[KEPT_PAGES] if each["url"] != url]


def begun_at(request: AuthedRequest, trial: uuids.UUID) -> str:
    """The page of references from which a trial was begun; "" if it was begun elsewhere, or in another session."""
    return next((each["url"] for each in request.session.get(KEPT_PAGES, []) if each["trial"] == str(trial)), "")


def page_for(request: AuthedRequest, held: Try) -> str:
    """The page of references from which a trial was begun, with its answer chosen; "" if it was begun elsewhere."""
    url = begun_at(request, held.uuid)
    return with_answers(url, [held.annotation.uuid]) if url else ""


def with_answers(url: str, answers: Iterable[Any]) -> str:
    """The address of a page of references with these answers chosen."""
    query = urlencode([("answer", each) for each in answers])
    return f"{url}?{query}" if query else url


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
    activities = examinable_activities(item)
    if not activities:
        return None
    where = [
        (BETWEEN.join((row.key, part)), f"{row.title} · {title}")
        for row in item.project.qualifications.order_by("pk")
        for part, title in _parts_of(row)
    ]
    return {"where": where, "activities": [(each.key, gettext(each.title)) for each in activities]}


def split_place(text: str) -> tuple[str, str]:
    """The keys of the qualification and of the part that the value of a place names; NotFound if it names none."""
    key, _dot, part = text.partition(BETWEEN)
    if not key or not part:
        raise NotFound
    return key, part


def _parts_of(qualification: Qualification) -> list[tuple[str, str]]:
    """The parts of the draft, or of what it would begin with: key and title."""
    latest = qualification.course_versions.order_by("-version").first()
    course = editing.read(latest) if latest else Course()
    tutorial = (pieces.TUTORIAL, overview.part_title(course, pieces.TUTORIAL))
    return [tutorial, *((block.key, block.title) for block in course.blocks)]
