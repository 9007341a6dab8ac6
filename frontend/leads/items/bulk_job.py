"""A lead's decision about all items of a list, and undoing it as a whole: jobs, a few items in each transaction.

The items are fixed when it is asked for: deciding about them changes what the filter leaves. An item is decided about
in the transaction that marks its row, so a job that was killed goes on where it was, and does nothing twice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import clock, events
from annotation.errors import NotFound, Refused, WrongMove
from annotation.models import Event, Job, Project, User
from annotation.models.job import JOB_MOVES
from frontend import access
from frontend.leads.items import bulk_decisions, listing, undoing
from frontend.leads.items.bulk_decisions import NOTHING_TO_DO, BulkDecision
from frontend.leads.items.filters import Filter
from tasks.background import long_jobs
from tasks.background.long_jobs import JobProgress
from tasks.engine.transactions import retry_on_conflict
from tasks.models import DecidedItem

KIND = "decide_items"
TITLES: dict[str, Any] = {
    "exclude": gettext_lazy("Exclude annotations"),
    "restore": gettext_lazy("Include excluded annotations again"),
    "replace": gettext_lazy("Replace annotations"),
    "reopen": gettext_lazy("Send annotations back to their authors"),
    "more": gettext_lazy("Ask for more annotations"),
    "withdraw": gettext_lazy("Withdraw"),
    "set_aside": gettext_lazy("Set aside for an exam"),
    "return": gettext_lazy("Return to the work"),
}
UNDO = "undo"
IN_A_STATEMENT = 1000
HELD, GAP = 0.2, 0.12
"""Seconds for which a transaction goes on with further items on SQLite, and between two.

One transaction writes at a time there, and each is synced: some twenty items in one cost little more than one. Others
who want to write ask again ten times a second at least, so a longer gap lets each of them in. On PostgreSQL each item
has a transaction of its own: locks of several could meet those of a submission in the other order.
"""
S = Job.State


@dataclass(frozen=True)
class BulkOutcome:
    """What a job has done. `items`: for which there was something to do; `done`: annotations, or items.

    `refused`: sentences with how many, the most frequent first; `nothing`: items for which there was nothing to do.
    `changed`: of an undoing, how many decisions were left as they were, since somebody has changed them.
    """

    items: int
    done: int
    nothing: int
    refused: list[tuple[str, int]]
    changed: int


@transaction.atomic
def ask(project: Project, wanted: Filter, decision: BulkDecision, *, by: User, now: datetime) -> Job:
    """Put the decision about the items that the filter leaves now into the queue; NotFound if there are none."""
    keys = list(listing.matching(project, wanted).order_by("pk").values_list("pk", flat=True))
    if not keys:
        raise NotFound
    asked = decision.as_json() | {"query": wanted.address(), "items": len(keys)}
    job = long_jobs.ask(project, KIND, subject=str(TITLES[decision.action]), asked=asked, by=by, now=now)
    made = (DecidedItem(job=job, item_id=key) for key in keys)
    DecidedItem.objects.bulk_create(made, batch_size=IN_A_STATEMENT)
    return job


@transaction.atomic
def ask_undo(job: Job, *, by: User, now: datetime) -> Job:
    """Put undoing of all that the job has done into the queue; WrongMove with a sentence on why it can't be undone."""
    found = Job.objects.select_for_update().select_related("project").get(pk=job.pk)
    refused = why_not_undo(found, by=by, now=now)
    if refused:
        raise WrongMove(refused)
    n = _to_undo(found.pk).count()
    asked = {"action": UNDO, "of": found.pk, "items": n}
    return long_jobs.ask(found.project, KIND, subject=f"{_('Undo')}: {found.subject}", asked=asked, by=by, now=now)


def why_not_undo(job: Job, *, by: User, now: datetime) -> str | None:
    """Why it can't be undone as a whole, or None; like any decision: by its own lead, once, for an hour."""
    if job.report["asked"]["action"] == UNDO:
        return _("What was undone is decided anew, from the list.")
    if not is_over(job):
        return _("It has not ended; stop it first.")
    if job.report["by"] != by.pk:
        return _("Only the lead who decided this can undo it as a whole.")
    if job.finished_at is None or now - job.finished_at > undoing.LONGEST:
        return _("This was decided more than an hour ago. Change it on the page of the item.")
    if undo_of(job) is not None:
        return _("It is being undone, or was.")
    return None if _to_undo(job.pk).exists() else _("There is nothing that can be undone.")


def undo_of(job: Job) -> Job | None:
    """The job that undoes it, unless that failed or was stopped."""
    rows = job.project.jobs.filter(kind=KIND, report__asked__of=job.pk).exclude(state__in=(S.FAILED, S.CANCELLED))
    return rows.order_by("pk").last()


def is_over(job: Job) -> bool:
    """Whether it was done, failed or was stopped."""
    return not JOB_MOVES[S(job.state)]


def latest(project: Project) -> Job | None:
    """The last decision about all items of a list, while it has not ended, and for an hour after that."""
    job = project.jobs.filter(kind=KIND).order_by("pk").last()
    if job is None or (job.finished_at is not None and clock.now() - job.finished_at > timedelta(hours=1)):
        return None
    return job


def work(job: Job, *, by: User | None, progress: JobProgress) -> dict[str, Any]:
    """Decide about the items that are still to come, or undo what was decided; returns how many items were looked at.

    Before each transaction it is asked again whether the person still leads the project: Refused if they don't.
    """
    asked = job.report["asked"]
    undoes = asked["action"] == UNDO
    rows = _to_undo(asked["of"]) if undoes else DecidedItem.objects.filter(job=job, decided_at=None).order_by("pk")
    keys = list(rows.values_list("pk", flat=True))
    one = _undo_one if undoes else partial(_decide_one, decision=_decision(asked))
    held, gap = (HELD, GAP) if connection.vendor == "sqlite" else (0, 0)
    n = 0
    while n < len(keys):
        progress(asked["items"] - len(keys) + n, asked["items"])
        n += _do_some(keys[n : n + IN_A_STATEMENT], partial(one, by=_lead_of(job.project, by)), seconds=held)
        if n < len(keys):
            time.sleep(gap)
    Job.objects.filter(pk=job.pk).update(done=asked["items"], total=asked["items"])
    return {"items": asked["items"]}


def outcome_of(job: Job) -> BulkOutcome:
    """What the job has done so far."""
    asked = job.report["asked"]
    if asked["action"] == UNDO:
        rows = DecidedItem.objects.filter(job=asked["of"], undone__isnull=False).values_list("events", "undone")
        seen = [(len(wanted), undone or 0) for wanted, undone in rows]
        done = sum(undone for _wanted, undone in seen)
        whole = sum(wanted for wanted, _undone in seen)
        return BulkOutcome(sum(undone > 0 for _wanted, undone in seen), done, 0, [], whole - done)
    decided = job.decided_items.filter(decided_at__isnull=False)
    refused: Counter[str] = Counter()
    nothing = 0
    for reasons in decided.exclude(refused={}).values_list("refused", flat=True):
        nothing += sum(n for why, n in reasons.items() if why in NOTHING_TO_DO)
        refused.update({_(why): n for why, n in reasons.items() if why not in NOTHING_TO_DO})
    done = decided.aggregate(n=Sum("done"))["n"] or 0
    return BulkOutcome(decided.filter(done__gt=0).count(), done, nothing, refused.most_common(), 0)


def _decision(asked: dict[str, Any]) -> BulkDecision:
    return BulkDecision(**{name: asked[name] for name in ("action", "person", "reason", "count")})


def _lead_of(project: Project, by: User | None) -> User:
    person = User.objects.filter(pk=by.pk, is_active=True).first() if by is not None else None
    try:
        if person is None:
            raise NotFound
        access.led_project(person, project.slug)
    except Refused:
        said = _("Who decided this does not lead the project any more. What was not done by then was left as it is.")
        raise WrongMove(said) from None
    return person


def _to_undo(job: int) -> Any:
    """The last decided first, as a decision may build on one before it."""
    return DecidedItem.objects.filter(job=job, undone=None).exclude(events=[]).order_by("-pk")


@retry_on_conflict
@transaction.atomic
def _do_some(keys: list[int], one: Callable[..., None], *, seconds: float) -> int:
    """Do it for the first of these rows, in one transaction, until the seconds are over; returns for how many."""
    ends, n = time.monotonic() + seconds, 0
    while n == 0 or (n < len(keys) and time.monotonic() < ends):
        one(keys[n], now=clock.now())
        n += 1
    return n


def _decide_one(key: int, decision: BulkDecision, *, by: User, now: datetime) -> None:
    row = _locked(key)
    if row.decided_at is not None:
        return
    with events.recorded() as decided:
        outcome = bulk_decisions.decide_item(row.item, decision, by=by, now=now)
    row.decided_at, row.done, row.refused = now, outcome.done, dict(outcome.refused)
    row.events = undoing.undoable(decided)
    row.save(update_fields=["decided_at", "done", "refused", "events"])


def _undo_one(key: int, *, by: User, now: datetime) -> None:
    row = _locked(key)
    if row.undone is not None:
        return
    decided = Event.objects.filter(pk__in=row.events, project_id=row.job.project_id).order_by("-pk")
    row.undone = undoing.undo_each(row.job.project, decided, by=by, now=now)
    row.save(update_fields=["undone"])


def _locked(key: int) -> DecidedItem:
    rows = DecidedItem.objects.select_for_update(of=("self",)).select_related("item__project", "job__project")
    return rows.get(pk=key)
