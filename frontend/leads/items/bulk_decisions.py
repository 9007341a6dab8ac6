"""Decide about several items at once: about what was made of them, or about the items themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import QuerySet

from annotation import registry
from annotation.engine import exclusion
from annotation.errors import NotFound, PayloadInvalid, Problem, WrongMove
from annotation.i18n import _
from annotation.models import Annotation, Item, Project, Purpose, User
from annotation.releases.selection import known_items
from frontend.leads.items.listing import PER_PAGE
from tasks import corrections
from tasks.corrections import more_annotations
from tasks.items import reports, setting_aside
from tasks.models import NO_DATA, Task

_NOT_FINISHED = _("Nothing that is finished, and not excluded, was made of it.")
_NOT_EXCLUDED = _("Nothing that was made of it is excluded.")
_WITHDRAWN = _("It is withdrawn already.")
_NO_QUEUE = _("It is in no queue.")
_SET_ASIDE = _("It is set aside for an exam.")
_IN_WORK = _("It is not set aside.")
NOTHING_TO_DO = frozenset({_NOT_FINISHED, _NOT_EXCLUDED, _WITHDRAWN, _NO_QUEUE, _SET_ASIDE, _IN_WORK})
"""Why there was nothing to do for an item; like every reason, it is translated where it is shown."""


@dataclass(frozen=True)
class BulkDecision:
    """What is decided about each item. `person`: only about what somebody with this worker code made; `count`: more."""

    action: str
    person: str
    reason: str
    count: int

    def as_json(self) -> dict[str, Any]:
        """What a job keeps of it."""
        return asdict(self)


@dataclass
class ItemOutcome:
    """For how many annotations of an item, or for the item itself, it was done; reason -> for how many it was not."""

    done: int = 0
    refused: Counter[str] = field(default_factory=Counter)


def decision_of(sent: Mapping[str, str]) -> BulkDecision:
    """The decision that a form says. NotFound for another action; ReasonMissing; PayloadInvalid for no count."""
    action, given = sent.get("action", ""), sent.get("count", "")
    if action not in _ACTIONS:
        raise NotFound
    count = int(given) if given.isascii() and given.isdigit() and len(given) < 4 else 0
    if action == "more" and not 1 <= count <= more_annotations.MOST:
        said = _("Ask for 1 to 25 more annotations at a time.")
        raise PayloadInvalid((Problem("count", "out_of_range", said),))
    reason = exclusion.checked_reason(sent.get("reason", ""))
    return BulkDecision(action, sent.get("person", ""), reason, count if action == "more" else 0)


def chosen(project: Project, keys: Iterable[str]) -> list[Item]:
    """The items of the project with these keys, in the order of their keys; NotFound if there are none."""
    wanted = {int(key) for key in keys if key.isascii() and key.isdigit() and len(key) < 16}
    rows = Item.with_set_aside.filter(known_items(), project=project, pk__in=wanted).select_related("project")
    found = list(rows.order_by("pk")[:PER_PAGE])
    if not found:
        raise NotFound
    return found


def decide_item(item: Item, decision: BulkDecision, *, by: User, now: datetime) -> ItemOutcome:
    """Do it for one item; what can't be done is counted by the sentence that says why, and never raised."""
    outcome = ItemOutcome()
    try:
        _check_place(item, decision)
        _ACTIONS[decision.action](item, decision, outcome, by=by, now=now)
    except WrongMove as refused:
        outcome.refused[str(refused.message)] += 1
    return outcome


def _check_place(item: Item, decision: BulkDecision) -> None:
    """Refuse to return what is in the work, and anything else about what is set aside, perhaps with one before it."""
    is_aside = Item.with_set_aside.filter(pk=item.pk, set_aside_at__isnull=False).exists()
    if is_aside != (decision.action == "return"):
        raise WrongMove(_SET_ASIDE if is_aside else _IN_WORK)


def _exclude(item: Item, decision: BulkDecision, outcome: ItemOutcome, *, by: User, now: datetime) -> None:
    outcome.done = len(_switched(exclusion.exclude, item, _finished(item, decision), _NOT_FINISHED, decision, by, now))


def _restore(item: Item, decision: BulkDecision, outcome: ItemOutcome, *, by: User, now: datetime) -> None:
    rows = _made_by(item, decision.person).filter(excluded_at__isnull=False).exclude(exclusion_reason=exclusion.LATE)
    outcome.done = len(_switched(exclusion.restore, item, rows, _NOT_EXCLUDED, decision, by, now))


def _switched(
    switch: Callable[..., list[Annotation]],
    item: Item,
    rows: QuerySet[Annotation],
    otherwise: str,
    decision: BulkDecision,
    by: User,
    now: datetime,
) -> list[Annotation]:
    uuids = [row.uuid for row in _some(rows, otherwise)]
    try:
        return switch(item.project, uuids=uuids, by=by, reason=decision.reason, now=now)
    except WrongMove:  # somebody else did it a moment ago
        raise WrongMove(otherwise) from None


def _replace(item: Item, decision: BulkDecision, outcome: ItemOutcome, *, by: User, now: datetime) -> None:
    for row in _some(_finished(item, decision).exclude(purpose=Purpose.REFERENCE), _NOT_FINISHED):
        _counted(outcome, partial(more_annotations.replace, row, by=by, reason=decision.reason, now=now))


def _reopen(item: Item, decision: BulkDecision, outcome: ItemOutcome, *, by: User, now: datetime) -> None:
    for row in _some(_finished(item, decision).exclude(purpose=Purpose.REFERENCE), _NOT_FINISHED):
        _counted(
            outcome,
            partial(corrections.reopen, item.project, row.uuid, by=by, reason=decision.reason, now=now),
        )


def _ask_for_more(item: Item, decision: BulkDecision, outcome: ItemOutcome, *, by: User, now: datetime) -> None:
    """In each of its queues; those of activities that stand in for others, such as a second reading, are left alone."""
    rows = Task.objects.filter(item=item).exclude(queue__activity__in=NO_DATA).order_by("pk")
    rows = rows.exclude(activity__in=registry.get(item.project.protocol).substitutes)
    for task in _some(rows.select_related("queue__project", "item__project"), _NO_QUEUE):
        _counted(outcome, partial(more_annotations.ask_for_more, task, count=decision.count, by=by, now=now))


def _withdraw(item: Item, decision: BulkDecision, outcome: ItemOutcome, *, by: User, now: datetime) -> None:
    if reports.withdrawal(item) is not None:
        raise WrongMove(_WITHDRAWN)
    reports.cancel(item, by=by, reason=decision.reason, now=now)
    outcome.done = 1


def _set_aside(item: Item, decision: BulkDecision, outcome: ItemOutcome, *, by: User, now: datetime) -> None:
    setting_aside.set_aside([item], by=by, reason=decision.reason, now=now)
    outcome.done = 1


def _return(item: Item, decision: BulkDecision, outcome: ItemOutcome, *, by: User, now: datetime) -> None:
    setting_aside.return_to_work([item], by=by, reason=decision.reason, now=now)
    outcome.done = 1


def _counted(outcome: ItemOutcome, act: Callable[[], Any]) -> None:
    try:
        act()
        outcome.done += 1
    except WrongMove as refused:
        outcome.refused[str(refused.message)] += 1


def _finished(item: Item, decision: BulkDecision) -> QuerySet[Annotation]:
    return _made_by(item, decision.person).filter(excluded_at__isnull=True)


def _made_by(item: Item, person: str) -> QuerySet[Annotation]:
    rows = Annotation.objects.filter(item=item, completed_at__isnull=False).select_related("item__project")
    return (rows.filter(author__worker_code=person) if person else rows).order_by("pk")


def _some(rows: QuerySet[Any], otherwise: str) -> list[Any]:
    found = list(rows)
    if not found:
        raise WrongMove(otherwise)
    return found


_ACTIONS: dict[str, Callable[..., None]] = {
    "exclude": _exclude,
    "restore": _restore,
    "replace": _replace,
    "reopen": _reopen,
    "more": _ask_for_more,
    "withdraw": _withdraw,
    "set_aside": _set_aside,
    "return": _return,
}
