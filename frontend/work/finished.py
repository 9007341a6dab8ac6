"""What a person has finished, to read: newest first, with the answers that count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext

from annotation import membership, projects
from annotation.engine import loading
from annotation.engine.work import Work
from annotation.models import Adjudication, Purpose, User
from annotation.values.records import GivenAnswer
from frontend.my_time import worked_in
from frontend.work.conflicts import Version, answered_version
from tasks.engine import assignments
from tasks.engine.eligibility import WORKERS
from tasks.models import Assignment
from tasks.models.states import AssignmentState

PER_PAGE = 10


@dataclass(frozen=True)
class DecidedOutcome:
    """What an expert has decided about an item that the person has done: for their answer (`same`), or for `answers`
    (title of the stage, what it asked, answer)."""

    same: bool
    reason: str
    answers: tuple[tuple[str, str, Version], ...] = ()


@dataclass(frozen=True)
class Finished:
    """One finished piece of work; `answers` are (title of the stage, what it asked if that is not `asked`, answer)."""

    asked: str
    project: str
    activity: str
    at: datetime
    answers: tuple[tuple[str, str, Version], ...]
    outcome: DecidedOutcome | None = None


def finished_work(user: User, page: str, *, decided: bool = False) -> tuple[Page[Assignment], list[Finished]]:
    """A page of the person's submitted work in projects where they still work, and what it says.

    `decided`: only that about which an expert has decided, the latest decision first.
    """
    first = F("annotation__completed_at").desc(nulls_last=True)
    order = ["-decided_at", "-pk"] if decided else [first, "-pk"]
    shown = Paginator(finished_rows(user, decided=decided).order_by(*order), PER_PAGE).get_page(page)
    return shown, [_finished(assignment) for assignment in shown.object_list]


def finished_rows(user: User, *, decided: bool = False) -> QuerySet[Assignment]:
    """The person's submitted work in projects where they still work, or only that about which an expert has decided.

    With what telling of it reads.
    """
    done = _decided(user) if decided else _submitted(user).filter(_works_there(user))
    return done.select_related("annotation", "lease", "task__queue", "task__item__project")


def decided_since(user: User, since: datetime) -> list[tuple[str, datetime]]:
    """What experts have decided after `since` about their finished work: (title of the project, when), newest first."""
    recent = _decided(user).filter(decided_at__gt=since).order_by("-decided_at", "-pk")
    return list(recent.values_list("task__item__project__title", "decided_at"))


def _decided(user: User) -> QuerySet[Any]:
    """Their assignments about whose items an expert has decided, with `decided_at`, in projects where they work.

    Only where the project tells the people concerned, and not of an archived one.
    """
    telling = [each.pk for each in worked_in(user) if projects.project_config(each).tells_decisions]
    task = {"item": OuterRef("task__item"), "activity": OuterRef("task__activity"), "round": OuterRef("task__round")}
    standing = Adjudication.objects.filter(**task, taken_back_at__isnull=True).values("at")[:1]
    mine = _submitted(user).filter(task__item__project__in=telling, annotation__purpose=Purpose.WORK)
    return mine.annotate(decided_at=Subquery(standing)).filter(decided_at__isnull=False)


def has_finished_elsewhere(user: User) -> bool:
    """Whether they have finished work in projects where they don't work any more."""
    return _submitted(user).exclude(_works_there(user)).exists()


def _submitted(user: User) -> QuerySet[Assignment]:
    """But for marks in judging rounds, which stay on the page of the round."""
    return Assignment.objects.filter(annotator=user, state=AssignmentState.SUBMITTED, task__exhibit=None)


def _works_there(user: User) -> Exists:
    return membership.has_role(user, OuterRef("task__item__project"), roles=WORKERS)


def _finished(assignment: Assignment) -> Finished:
    work = assignments.work_of(assignment)
    return Finished(
        asked=asked_of(work),
        project=work.item.project.title,
        activity=gettext(work.activity.title),
        at=finished_at(assignment),
        answers=_read(work, work.own, prompts=prompts_of(work)),
        outcome=outcome_of(assignment, work),
    )


def asked_of(work: Work) -> str:
    """What the work asked; "" if the person has answered nothing of it.

    From the sheet of a step that they answered: the item's caption may say what their seat was not shown.
    """
    return work.sheet(work.own[0].address).prompt if work.own else ""


def finished_at(assignment: Assignment) -> datetime:
    """When it was finished."""
    return assignment.annotation.completed_at or assignment.claimed_at


def prompts_of(work: Work) -> dict[str, str]:
    """What each turn asked that asked something else than the turn before it, by the address of its first answer."""
    found: dict[str, str] = {}
    asked = ""
    for entry in work.own:
        prompt = work.sheet(entry.address).prompt if entry.turn else ""
        if prompt and prompt != asked:
            found[entry.address] = asked = prompt
    return found if len(found) > 1 else {}


def _read(
    work: Work, answers: Iterable[GivenAnswer], *, prompts: Mapping[str, str] = MappingProxyType({})
) -> tuple[tuple[str, str, Version], ...]:
    return tuple(
        (gettext(work.activity.stage(each.stage).title), prompts.get(each.address, ""), answered_version(work, each))
        for each in answers
    )


def outcome_of(assignment: Assignment, work: Work) -> DecidedOutcome | None:
    """The decision about it, if the project tells the people concerned; an expert's own reference is no answer to it.

    Only finished work has a place on this page, so their own answer is in.
    """
    if work.annotation.purpose != Purpose.WORK or not projects.project_config(work.item.project).tells_decisions:
        return None
    found = Adjudication.standing(work.item, work.activity.key, assignment.task.round)
    if found is None:
        return None
    said = loading.said_of(work.activity, found.annotation.responses.order_by("pk"))
    if loading.told(said) == loading.told(work.answers):
        return DecidedOutcome(True, found.reason)
    return DecidedOutcome(False, found.reason, _read(work, said))
