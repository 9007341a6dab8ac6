"""Sends confirmed bonuses, each step once: what is about to be asked is written down before it is asked.

Prolific pays in two steps. Setting bonuses up pays nothing, so it is repeated until there is an answer. Paying what is
set up is asked for once: Prolific pays again each time. So a bonus is `paying` before the request leaves, and whoever
finds it so never asks again, but reads the submissions, which list the bonuses that were paid on them. It leaves
`paying` for `set_up` only if the request did not leave this machine, or Prolific has answered that there were too many.
"""

from __future__ import annotations

import time
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from annotation import events
from annotation.engine import state_machine
from annotation.errors import WrongMove
from tasks.engine.transactions import service
from tasks.models import Bonus, BonusPart
from tasks.models.prolific import BONUS_MOVES, UNDER_WAY
from tasks.prolific import bonuses, connecting
from tasks.prolific.answers import AnswerUnreadable, SetUpBonuses
from tasks.prolific.api import NoAnswer, ProlificApi, TurnedAway

S = Bonus.State
A_CALL = timedelta(seconds=6)
"""No call takes longer, with what is done around it."""
A_WHILE = timedelta(seconds=30)
FIRST_WAIT, LONGEST_WAIT = 10, 600
"""Seconds until something is tried again, at first and at most."""
LOOKING = timedelta(minutes=2)
"""How long until Prolific is looked at again."""
LOOKED_ENOUGH = timedelta(hours=1)
"""After so long, what was sent and is not found is left to a lead. Prolific says that bonuses are paid in minutes."""
LONGEST_PROBLEM = 300


def send_due(*, now: datetime) -> int:
    """Take each bonus that is due one step further; returns how many."""
    due = Bonus.objects.filter(state__in=UNDER_WAY, next_at__lte=now).order_by("next_at", "pk")
    return sum(step(key, now=now) for key in list(due.values_list("pk", flat=True)))


def step(key: int, *, now: datetime) -> bool:
    """Do what is next with a bonus, if it is due and nobody else is about it; returns whether it was."""
    began = time.time()  # not the monotonic clock, which stands still while a machine sleeps
    row, before = _begun(key, now)
    if row is None:
        return False
    try:
        asked = connecting.api_of(row.study)
    except WrongMove as unreadable:
        # Nothing was asked: its token has to be given again first.
        if before == S.PAYING:
            _looked(row, [], now, problem=unreadable.message)
        else:
            _waits(row, now, unreadable.message, back=before == S.SET_UP)
        return True
    if before == S.SET_UP and time.time() - began > A_CALL.total_seconds():
        # The process was stopped in between: others may have given this up meanwhile.
        _waits(row, now, "", back=True)
        return True
    {S.CONFIRMED: _set_up, S.SET_UP: _pay, S.PAYING: _look}[S(before)](row, asked, now)
    return True


@service
def _begun(key: int, now: datetime) -> tuple[Bonus | None, str]:
    """The bonus, for whoever comes first, and its state before; it is `paying` from here on if that is next."""
    rows = Bonus.objects.select_for_update(no_key=True, of=("self",)).select_related("study__project", "by")
    row = rows.filter(pk=key, state__in=UNDER_WAY, next_at__lte=now).first()
    if row is None:
        return None, ""
    before = row.state
    row.next_at, row.tries = now + A_WHILE + A_CALL * (row.parts.count() + 1), min(row.tries + 1, 30)
    row.save(update_fields=["next_at", "tries"])
    if before == S.SET_UP:
        state_machine.move(row, S.PAYING, moves=BONUS_MOVES, by=None, now=now, asked_at=now)
    return row, before


def _set_up(row: Bonus, asked: ProlificApi, now: datetime) -> None:
    parts = list(row.parts.order_by("pk"))
    try:
        had = {part.pk: asked.bonuses_of(part.submission_id) for part in parts}
        cents = {part.submission_id: part.cents for part in parts}
        made = asked.set_up_bonuses(row.study.study_id, cents)
    except TurnedAway as turned_away:
        if turned_away.is_too_many:
            _waits(row, now, turned_away.message)
        else:
            _refused(row, now, turned_away.message)
    except (NoAnswer, AnswerUnreadable) as failed:
        _waits(row, now, failed.message)
    else:
        _is_set_up(row, made, had, now)


@service
def _is_set_up(row: Bonus, made: SetUpBonuses, had: dict[int, list[int]], now: datetime) -> None:
    """Keep the id by which they are paid, and the bonuses that there were before. A lead may have taken it back."""
    current = _again(row, S.CONFIRMED)
    if current is None:
        return
    for part in current.parts.all():
        part.before = had[part.pk]
        part.save(update_fields=["before"])
    kept: dict[str, Any] = {"bulk_id": made.bulk_id, "charged": made.charged, "problem": "", "next_at": now, "tries": 0}
    state_machine.move(current, S.SET_UP, moves=BONUS_MOVES, by=None, now=now, **kept)


def _pay(row: Bonus, asked: ProlificApi, now: datetime) -> None:
    try:
        asked.pay_bonuses(row.bulk_id)
    except TurnedAway as turned_away:
        if turned_away.is_too_many:
            _waits(row, now, turned_away.message, back=True)
        else:
            _refused(row, now, turned_away.message)
    except NoAnswer as failed:
        if failed.sent:
            _waits(row, now, failed.message)
        else:
            _waits(row, now, failed.message, back=True)
    else:
        _is_paid(row, now)


def _look(row: Bonus, asked: ProlificApi, now: datetime) -> None:
    """Find the bonuses on their submissions: those that are there beside the ones from before."""
    try:
        found = [part.pk for part in row.parts.filter(found=False) if _is_there(part, asked)]
    except (TurnedAway, NoAnswer, AnswerUnreadable) as failed:
        _looked(row, [], now, problem=failed.message)
    else:
        _looked(row, found, now)


def _is_there(part: BonusPart, asked: ProlificApi) -> bool:
    if not part.submission_id:
        return False  # the person was erased
    new = Counter(asked.bonuses_of(part.submission_id)) - Counter(part.before)
    return part.cents in new


@service
def _looked(row: Bonus, listed: list[int], now: datetime, *, problem: str = "") -> None:
    current = _again(row, S.PAYING)
    if current is None:
        return
    current.parts.filter(pk__in=listed).update(found=True)
    if not current.parts.filter(found=False).exists():
        state_machine.move(current, S.PAID, moves=BONUS_MOVES, by=None, now=now, data={"found": True}, problem="")
    elif current.asked_at is not None and now - current.asked_at >= LOOKED_ENOUGH:
        state_machine.move(current, S.UNCLEAR, moves=BONUS_MOVES, by=None, now=now)
    else:
        current.next_at, current.problem = now + LOOKING, (problem or current.problem)[:LONGEST_PROBLEM]
        current.save(update_fields=["next_at", "problem"])


@service
def _is_paid(row: Bonus, now: datetime) -> None:
    current = _again(row, S.PAYING)
    if current is not None:
        state_machine.move(current, S.PAID, moves=BONUS_MOVES, by=None, now=now, problem="")


@service
def _refused(row: Bonus, now: datetime, problem: str) -> None:
    current = _again(row, S(row.state))
    if current is not None:
        bonuses.fail(current, S.REFUSED, by=None, now=now, problem=problem[:LONGEST_PROBLEM])


@service
def _waits(row: Bonus, now: datetime, problem: str, *, back: bool = False) -> None:
    """Try again later; `back`: it is certain that Prolific was not told to pay, so that it may be told."""
    current = _again(row, S(row.state))
    if current is None:
        return
    wait = LOOKING.total_seconds() if row.state == S.PAYING and not back else FIRST_WAIT * 2 ** min(row.tries, 6)
    if back:
        state_machine.move(current, S.SET_UP, moves=BONUS_MOVES, by=None, now=now)
    known, current.problem = current.problem, problem[:LONGEST_PROBLEM]
    current.next_at = now + timedelta(seconds=min(wait, LONGEST_WAIT))
    current.save(update_fields=["next_at", "problem"])
    if current.problem != known:
        events.record("bonus.waits", current, by=None, now=now, problem=current.problem)


def _again(row: Bonus, state: S) -> Bonus | None:
    """The row as it is now, locked, if it is still in that state."""
    rows = Bonus.objects.select_for_update(no_key=True, of=("self",)).select_related("study__project", "by")
    return rows.filter(pk=row.pk, state=state).first()
