"""The work that a person holds or has left for later, for their home page, named by what it is about.

And what the screen of an assignment shows of its block, and of a lead who has sent finished work back.
"""

from __future__ import annotations

import uuid as uuids
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext

from annotation.engine.work import Work
from annotation.html.limits import PageRefused
from annotation.models import Draft, User
from frontend.wording import noun_of_activity
from tasks import corrections
from tasks.engine import assignments, eligibility, resuming
from tasks.models import Assignment
from tasks.models.states import LEAVES_ITEM_FREE, AssignmentState


@dataclass(frozen=True)
class Reopened:
    """A lead has sent finished work back to its author; `reason` in the lead's words."""

    reason: str


@dataclass(frozen=True)
class BlockPart:
    """One piece of work of a block: `state` is untouched, draft, committed or skipped."""

    uuid: uuids.UUID
    url: str
    prompt: str
    state: str
    current: bool


def reopened_by_lead(assignment: Assignment) -> Reopened | None:
    """The lead's reason if this is finished work that is open again."""
    again = assignment.state == AssignmentState.LEASED and corrections.last_reopening(assignment)
    return Reopened(reason=again.data["reason"]) if again else None


def block_parts(assignment: Assignment, work: Work) -> tuple[BlockPart, ...]:
    """The parts of the block in the order in which they were claimed."""
    rows = assignment.lease.assignments.select_related("task__item").order_by("pk")
    drafted = set(Draft.objects.filter(annotation__assignments__in=rows).values_list("annotation_id", flat=True))
    states = {AssignmentState.SUBMITTED: "committed", AssignmentState.SKIPPED: "skipped"}
    return tuple(
        BlockPart(
            uuid=row.uuid,
            url=reverse("work", args=[row.uuid]),
            prompt=work.protocol.caption(row.task.item.kind, row.task.item.payload),
            state=states.get(AssignmentState(row.state)) or ("draft" if row.annotation_id in drafted else "untouched"),
            current=row.pk == assignment.pk,
        )
        for row in rows.exclude(state__in=LEAVES_ITEM_FREE)
    )


@dataclass(frozen=True)
class LeftWork:
    """What a person left unfinished and is given first until `until`, with their draft."""

    about: str
    until: datetime


@dataclass(frozen=True)
class HeldWork:
    """A piece of work, or a block with all of its pieces.

    `about`: from the sheet of the current step, since the item's caption may say what the person has not been shown.
    `parts`: how many pieces of work the block has, 0 if it is none; `done`: how many of them are sent; `nouns`: what
    they are called.
    """

    about: str
    project: str
    activity: str
    url: str
    until: datetime
    reopened: Reopened | None
    parts: int
    done: int
    nouns: str


def held_by(user: User) -> list[HeldWork]:
    """What the person holds, in the order in which it was claimed; judging rounds have a list of their own."""
    rows = Assignment.objects.filter(annotator=user, state=AssignmentState.LEASED, task__exhibit=None).select_related(
        "task__item__project", "task__item__root", "lease", "annotation"
    )
    pieces: dict[tuple[str, int], list[Assignment]] = {}
    for row in rows.order_by("claimed_at", "pk"):
        name = ("block", row.lease_id) if _in_block(row) else ("alone", row.pk)
        pieces.setdefault(name, []).append(row)
    return [_held(found) for found in pieces.values()]


def left_for_later(seek: eligibility.Seeker, *, now: datetime) -> LeftWork | None:
    """What the person left last in an activity and can still take up again: returned, expired or taken from them."""
    unfinished = resuming.left_unfinished(seek.by, seek.activity.key, since=now - resuming.KEPT)
    mine = unfinished.filter(item__project=seek.project)
    if not mine.exists():
        return None
    free = eligibility.free_tasks(seek).order_by().values("item")
    rows = Assignment.objects.filter(annotation__in=mine.filter(item__in=free), annotator=seek.by)
    rows = rows.exclude(closed_at=None).select_related("task__item__project", "task__item__root", "annotation")
    last = rows.order_by("-closed_at", "-pk").first()
    if last is None or last.closed_at is None:
        return None
    return LeftWork(_about(assignments.work_of(last)), last.closed_at + resuming.KEPT)


def _in_block(row: Assignment) -> bool:
    """Whether it is a part of its block; work that a lead has re-opened stands for itself."""
    return assignments.activity_of(row).block and row.annotation.completed_at is None


def _held(rows: Sequence[Assignment]) -> HeldWork:
    first = rows[0]
    item, activity, whole = first.task.item, assignments.activity_of(first), _in_block(first)
    parts = first.lease.assignments.exclude(state__in=LEAVES_ITEM_FREE).count() if whole else 0
    return HeldWork(
        about=_about(assignments.work_of(first)),
        project=item.project.title,
        activity=gettext(activity.title),
        url=reverse("work", args=[first.uuid]),
        until=first.lease.expires_at,
        reopened=reopened_by_lead(first),
        parts=parts,
        done=parts - len(rows) if parts else 0,
        nouns=noun_of_activity(activity).many,
    )


def _about(work: Work) -> str:
    """From the current sheet; from that of the last answered step if the page of the current one can't be shown."""
    try:
        return work.sheet_now().about
    except PageRefused:
        return work.sheet(work.own[-1].address).about if work.own else ""
