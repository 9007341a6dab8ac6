"""Tries at an item outside of all queues: they are begun, saved, answered and finished; nothing follows from them here.

A try is locked by its own row; beginning one takes the person's lock, so that two at once are the same one.
"""

from __future__ import annotations

import uuid as uuids
from collections.abc import Collection
from datetime import datetime
from typing import Any, Unpack

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation import events, membership, projects, registry
from annotation.engine import committing, drafts, recording
from annotation.engine.committing import AnswerSent, Committed
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Hold, Work, work_on
from annotation.errors import AlreadyClosed, NotFound, Refused, StalePage, WrongMove
from annotation.i18n import _
from annotation.models import Annotation, Draft, Item, Project, Purpose, User
from annotation.protocol import Activity
from qualification.models import Attempt, AttemptPurpose, AttemptState, Try

TRIED = "item.tried"
"""The kind of the event of an item that a lead begins to try; it has the `activity` and the `round`."""
TOGETHER = _("Several people do this together, so nobody can try it alone.")
RESTS = _("The project is archived. Bring it back first.")


def begin_trial(item: Item, activity: str, *, by: User, now: datetime) -> Try:
    """The person's open trial of the item in an activity; a new one if there is none: the next round of theirs.

    NotFound for an activity that is not one of the item's kind; WrongMove for one that several people do together, or
    in an archived project.
    """
    found = next((each for each in activities_of(item) if each.key == activity), None)
    if found is None:
        raise NotFound
    if why := why_not_try(item, found):
        raise WrongMove(why)
    with transaction.atomic(), events.batched():
        membership.lock_person(by, item.project)
        if (held := _open_trial(item, activity, by)) is not None:
            return _belongs(held)
        held = begin(item, activity, purpose=Purpose.TRIAL, by=by, now=now)
        events.record(TRIED, item, by=by, now=now, activity=activity, round=held.annotation.round)
        return held


def begin(item: Item, activity: str, *, purpose: Purpose, by: User, now: datetime, **about: Any) -> Try:
    """A new try, the next round of the person's at this item; `about`: what it belongs to, by the fields of Try.

    The caller holds the person's lock. A trial that is open already goes on as that of what it belongs to now.
    """
    if purpose == Purpose.TRIAL and (held := _open_trial(item, activity, by)) is not None:
        return _belongs(held, **about)
    before = Annotation.with_trials.filter(item=item, author=by, activity=activity, purpose=purpose)
    guidelines = projects.guidelines_of(item.project)
    annotation = recording.open_annotation(
        item_id=item.pk,
        author=by,
        activity=activity,
        round=1 + before.count(),
        guidelines_id=guidelines.pk if guidelines else None,
        now=now,
        purpose=purpose,
    )
    annotation.item = item
    return Try.objects.create(annotation=annotation, **about)


def _open_trial(item: Item, activity: str, by: User) -> Try | None:
    mine = trials_of(item, by).filter(annotation__activity=activity)
    return mine.filter(annotation__completed_at__isnull=True).first()


def _belongs(held: Try, **about: Any) -> Try:
    """The open trial as that of `about` alone."""
    said = {"attempt": None, "form_place": None, "enrolment": None, "course_item": "", **about}
    if any(getattr(held, name) != value for name, value in said.items()):
        for name, value in said.items():
            setattr(held, name, value)
        held.save(update_fields=list(said))
    return held


def activities_of(item: Item) -> list[Activity]:
    """The activities in which items of its kind are worked on."""
    return [each for each in registry.get(item.project.protocol).activities if each.kind == item.kind]


def why_not_try(item: Item, activity: Activity) -> str:
    """A sentence for the lead, or "": what several people do together has no seat for one alone."""
    if item.project.archived_at is not None:
        return RESTS
    return TOGETHER if len(activity.seats) > 1 else ""


def trials_of(item: Item, user: User) -> QuerySet[Try]:
    """The person's trials of an item, open and finished."""
    rows = Try.objects.select_related("annotation__item__project")
    return rows.filter(annotation__item=item, annotation__author=user, annotation__purpose=Purpose.TRIAL)


def activity_of_try(held: Try) -> Activity:
    """Its activity; the try was loaded with its annotation, item and project."""
    annotation = held.annotation
    return registry.get(annotation.item.project.protocol).activity(annotation.activity)


def work_of_try(held: Try) -> Work:
    """The Work of a try that was loaded with its annotation, item and project."""
    annotation = held.annotation
    return work_on(
        annotation,
        item=annotation.item,
        protocol=annotation.item.project.protocol,
        activity=annotation.activity,
        person=annotation.author_id,
        leased=annotation.completed_at is None,
    )


def hold_of_try(held: Try) -> Hold:
    """The try as a Hold, which has no end; an answer can take as long as in a lease of real work."""
    annotation, activity = held.annotation, activity_of_try(held)
    minutes = projects.activity_config(annotation.item.project, activity.key).lease_minutes or activity.minutes
    if annotation.author is None:
        raise NotFound
    return Hold(
        id=held.uuid,
        person=annotation.author,
        since=annotation.opened_at,
        longest=minutes * 60.0,
        deadline=None,
        client=held.client,
        place=held.place,
    )


@transaction.atomic
def commit_try(
    held: Try, step: str, payload: dict[str, Any], *, refused: Refused | None = None, **sent: Unpack[AnswerSent]
) -> Committed:
    """Write the answer to a step; the answer to the last one ends the try, and nothing follows from it here.

    `refused`: why the caller lets nothing more be written. Raises what `committing.commit` raises; then nothing was
    written.
    """
    _lock(held)
    closed = refused or (AlreadyClosed() if held.annotation.completed_at is not None else None)
    done = committing.commit(work_of_try(held), step, payload, hold=hold_of_try(held), refused=closed, **sent)
    if not done.repeated and done.work.following is None:
        committing.finish(done.work, now=sent["now"])
    return done


@transaction.atomic
def save_try(held: Try, step: str, data: dict[str, Any], *, tab: PageLoad, seq: int, seen: int, now: datetime) -> Draft:
    """Save the draft of a step, as of real work. Raises AlreadyClosed, StalePage or TakenOver."""
    _lock(held)
    if held.annotation.completed_at is not None:
        raise AlreadyClosed
    drafts.check_tab(held.client, tab)
    _now_counts(held, tab.client)
    work = work_of_try(held)
    if seen != work.seen_at(step):
        raise StalePage
    drafts.check_draft(work.draft(step), tab)
    author = hold_of_try(held).person
    return drafts.save_draft(work, author=author, step=step, client=tab.client, seq=seq, data=data, now=now)


@transaction.atomic
def take_over_try(held: Try, *, client: uuids.UUID) -> None:
    """Open (or take back) the try in this page load: all earlier ones are refused from now on."""
    _lock(held)
    _now_counts(held, client)


def leave_try(held: Try, *, client: uuids.UUID, step: str, view: dict[str, Any], now: datetime) -> None:
    """Save where the person is on a page that they leave; ignored from a page load that may no longer write."""
    place = {"client": str(client), "stage": step, "view": view, "at": now.isoformat()}
    counts = Q(client=None) | Q(client=client)
    Try.objects.filter(counts, pk=held.pk, annotation__completed_at__isnull=True).update(place=place)


def _lock(held: Try) -> None:
    """Lock the try, and reload what may have changed."""
    row = Try.objects.select_for_update().get(pk=held.pk)
    held.client, held.place = row.client, row.place
    held.annotation.completed_at = Annotation.with_trials.values_list("completed_at", flat=True).get(
        pk=held.annotation_id
    )


def _now_counts(held: Try, client: uuids.UUID) -> None:
    if held.client != client:
        Try.objects.filter(pk=held.pk).update(client=client)
        held.client = client


def open_tries(user: User, projects: Collection[Project]) -> list[Try]:
    """The person's unfinished trials of items of these projects that are not put away, the latest first."""
    rows = Try.objects.select_related("annotation__item__project").filter(
        annotation__author=user,
        annotation__purpose=Purpose.TRIAL,
        annotation__completed_at__isnull=True,
        annotation__item__project__in=projects,
        attempt=None,  # an item of an exam is gone on with there
        put_away_at=None,
    )
    return list(rows.order_by("-annotation__opened_at", "-pk"))


def open_exam_trials(user: User, projects: Collection[Project], *, now: datetime) -> list[Attempt]:
    """The person's open trials of exams of these projects whose time is not over, the latest first."""
    rows = Attempt.objects.select_related("qualification__project", "course").filter(
        user=user,
        purpose=AttemptPurpose.TRIAL,
        state=AttemptState.OPEN,
        voided_at=None,
        qualification__project__in=projects,
    )
    return [row for row in rows.order_by("-issued_at", "-pk") if row.ends_at is None or now <= row.ends_at]


@transaction.atomic
def put_away(user: User, uuid: uuids.UUID, *, now: datetime) -> None:
    """Put away the person's open trial of that uuid; NotFound where they have none.

    One of a task is kept as it is and goes on when the lead tries the item again. One of an exam is voided, as its form
    is, and the next one has another.
    """
    tries = Try.objects.filter(annotation__author=user, annotation__purpose=Purpose.TRIAL, attempt=None, uuid=uuid)
    if tries.filter(annotation__completed_at__isnull=True).update(put_away_at=now):
        return
    sat = Attempt.objects.filter(user=user, purpose=AttemptPurpose.TRIAL, uuid=uuid, state=AttemptState.OPEN)
    if not sat.filter(voided_at=None).update(voided_at=now):
        raise NotFound


def take_up(user: User, uuid: uuids.UUID) -> None:
    """Have a trial of a task that was put away among the open ones again; nothing for one that was not."""
    Try.objects.filter(annotation__author=user, uuid=uuid).exclude(put_away_at=None).update(put_away_at=None)
