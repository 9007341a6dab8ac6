"""Items of a course that are worked on in the real work screen: which item, and the references that grade the answer.

A reference is a copy of what a trusted annotation says, so that a frozen version grades the same for ever, and so that
a set-up file carries it; where it was copied from stands in the event of the change.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field, StringConstraints, TypeAdapter, ValidationError

from annotation import registry
from annotation.engine import loading
from annotation.errors import NotFound
from annotation.i18n import _
from annotation.models import Annotation, Item, Project
from annotation.protocol import Activity
from annotation.values.records import AnnotationRecord, GivenAnswer, Step
from annotation.values.schemas import Payload

Address = Annotated[str, StringConstraints(pattern=r"^[a-z_]+(-[1-9]\d{0,3})?$", max_length=60)]
"""The address of a step: `answer`, or `answer-3` in turn 3."""
MOST_REFERENCES = 10


class ItemName(Payload):
    """An item of the project, by its kind and the id that it has in files."""

    kind: str = Field(min_length=1, max_length=40)
    id: str = Field(min_length=1, max_length=200)


class StepAnswer(Payload):
    """What a reference says at a step: the answer as it is stored, and the name of its schema."""

    step: Address
    format: str = Field(default="", max_length=80)
    answer: dict[str, Any]


class Reference(Payload):
    """An answer to the whole item that is trusted; the best of several counts."""

    answers: tuple[StepAnswer, ...] = Field(min_length=1, max_length=400)


_REFERENCE = TypeAdapter(Reference)


class RealItem(Payload):
    """An item of the project in the work screen of one of its activities.

    `title`: what leads know it by. `explanations`: Markdown by stage, shown beside the marks of the tutorial.
    """

    kind: Literal["item"]
    key: Annotated[str, StringConstraints(pattern=r"^[-a-z0-9]+$", min_length=1, max_length=60)]
    concept: str = Field(default="", max_length=120)
    title: str = Field(min_length=1, max_length=200)
    activity: str = Field(min_length=1, max_length=40)
    item: ItemName
    references: tuple[Reference, ...] = Field(min_length=1, max_length=MOST_REFERENCES)
    explanations: dict[str, Annotated[str, StringConstraints(max_length=4000)]] = Field(default_factory=dict)
    note: str = Field(default="", max_length=4000)


GONE = _("The project has no item with this kind and id, or its import was undone.")
NOT_SET_ASIDE = _("The item is in the work. Set it aside first, so that nobody meets it there.")
OTHER_ACTIVITY = _("Items of this kind are not worked on in this activity.")
TOGETHER = _("Several people do this activity together, so it can’t be an exam.")
BY_HAND = _("People have to judge what is made in this activity, so no reference can grade it.")
UNREADABLE = _("A reference does not fit the activity: copy it again from an answer.")


def reference_of(annotation: Annotation) -> Reference:
    """What a finished annotation, loaded with its item and project, says as a reference."""
    item = annotation.item
    [record] = loading.finished_records([annotation], item)
    return Reference(
        answers=tuple(
            StepAnswer(
                step=Step(one.stage, one.turn).address,
                format=one.schema,
                answer=one.payload.model_dump(mode="json"),
            )
            for one in record.answers
        )
    )


def stored_references(references: Sequence[Reference]) -> list[dict[str, Any]]:
    """References as JSON values, such as corrections and events have."""
    return [each.model_dump(mode="json") for each in references]


def read_references(stored: Sequence[Any]) -> tuple[Reference, ...]:
    """What `stored_references` wrote."""
    return tuple(_REFERENCE.validate_json(orjson.dumps(each)) for each in stored)


def reference_record(activity: Activity, reference: Reference) -> AnnotationRecord:
    """The reference as what protocols grade against. ValidationError or KeyError if it does not fit the activity."""
    answers = []
    for one in reference.answers:
        at = Step.at(one.step)
        payload = loading.parse(activity, at.stage, one.format, one.answer)
        answers.append(GivenAnswer(at.stage, payload, one.format, at.turn))
    return AnnotationRecord(activity.key, tuple(answers))


def item_of(project: Project, real: RealItem) -> Item | None:
    """The item of the project that is meant, set aside or not; None if there is none."""
    rows = Item.with_set_aside.filter(project=project, kind=real.item.kind, external_id=real.item.id)
    return rows.select_related("project", "root").first()


def keys_under(project: Project, reals: Sequence[RealItem], roots: Collection[int]) -> set[str]:
    """The keys of those that are, or are under, one of these roots of the project."""
    found = {}
    rows = Item.with_set_aside.filter(project=project, external_id__in={each.item.id for each in reals})
    for kind, name, key, root in rows.values_list("kind", "external_id", "pk", "root"):
        found[kind, name] = root or key
    return {each.key for each in reals if found.get((each.item.kind, each.item.id)) in roots}


def activity_of(project: Project, real: RealItem) -> Activity:
    """The activity in which it is worked on; NotFound if the protocol has none of that name."""
    for activity in registry.get(project.protocol).activities:
        if activity.key == real.activity:
            return activity
    raise NotFound


def why_unfit(project: Project, real: RealItem) -> Any:
    """A sentence on why it can't be in an exam of the project, or ""."""
    item = item_of(project, real)
    if item is None:
        return GONE
    try:
        activity = activity_of(project, real)
    except NotFound:
        return OTHER_ACTIVITY
    if activity.kind != item.kind:
        return OTHER_ACTIVITY
    if len(activity.seats) > 1:
        return TOGETHER
    if not activity.can_be_examined:
        return BY_HAND
    if item.set_aside_at is None:
        return NOT_SET_ASIDE
    return "" if _are_readable(activity, real.references) else UNREADABLE


def _are_readable(activity: Activity, references: Sequence[Reference]) -> bool:
    try:
        for reference in references:
            reference_record(activity, reference)
    except (ValidationError, KeyError):
        return False
    return True
