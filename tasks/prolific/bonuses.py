"""Bonuses from the pay table: what a lead sees before, confirms once, and decides if it stays unclear.

A confirmed bonus is a payment in the ledger from that moment, so nobody is owed the same time twice, whatever becomes
of the requests. If it is certain that no money has moved, those payments are undone.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.db.models import Sum

from annotation import events, projects
from annotation.engine import state_machine
from annotation.errors import WrongMove
from annotation.i18n import _
from annotation.models import Payment, Project, User
from annotation.worktime import totals
from tasks.engine.transactions import service
from tasks.models import Bonus, BonusPart, Study, Submission
from tasks.models.prolific import BONUS_MOVES, FAILED, UNDER_WAY
from tasks.people import payments
from tasks.people.earnings import Period, earned

MOST = 200
"""People in one request, as Prolific recommends; the others are owed theirs as before."""
NOTE = "Bonus on Prolific"
CHANGED = _("What is owed has changed. Look at the amounts again.")


@dataclass(frozen=True)
class BonusShare:
    """What somebody is owed and gets: `seconds` that no payment is about, `owed`, `reward` and `cents` in hundredths.

    `reward`: what of the amount owed the study pays when the submission is approved; `cents` is the rest.
    """

    person: int
    submission: Submission
    seconds: int
    owed: int
    reward: int

    @property
    def cents(self) -> int:
        """The bonus."""
        return self.owed - self.reward


@dataclass(frozen=True)
class BonusShares:
    """Who would get a bonus, at most MOST of them; whom the reward covers; and how many are owed without a submission.

    `currency`: "" if no amounts follow from the project's rate.
    """

    period: Period
    currency: str
    due: list[BonusShare]
    covered: list[BonusShare]
    elsewhere: int
    later: int

    @property
    def cents(self) -> int:
        """The sum of the bonuses."""
        return sum(share.cents for share in self.due)


def shares(study: Study, *, until: date) -> BonusShares:
    """What is owed for the time up to a day, divided into the reward of the study and a bonus."""
    project, period = study.project, Period(None, until)
    rate = projects.project_config(project).pay
    hour = totals.amount_of_pay(rate, 3600)
    if hour is None:
        return BonusShares(period, "", [], [], 0, 0)
    owed = {one: seconds for one, seconds in payments.owed(project, earned(project, period)).items() if seconds > 0}
    found = _divided(study, owed, rate)
    due = [share for share in found if share.cents > 0]
    covered = [share for share in found if share.cents <= 0]
    return BonusShares(period, hour[1], due[:MOST], covered, len(owed) - len(found), len(due[MOST:]))


def _divided(study: Study, owed: Mapping[int, int], rate: str) -> list[BonusShare]:
    taken = dict(
        BonusPart.objects.filter(bonus__study=study)
        .exclude(bonus__state__in=FAILED)
        .order_by()
        .values_list("submission_id")
        .annotate(sum=Sum("reward"))
    )
    found = []
    for person, submission in submissions_of(study, owed).items():
        amount, _currency = totals.amount_of_pay(rate, owed[person]) or (Decimal(0), "")
        cents = int(amount * 100)
        rewarded = submission.status in Submission.REWARDED
        left = max(0, study.reward - taken.get(submission.submission_id, 0)) if rewarded else 0
        found.append(BonusShare(person, submission, owed[person], cents, min(cents, left)))
    return found


def submissions_of(study: Study, people: Iterable[int]) -> dict[int, Submission]:
    """By person, the submission on which a bonus is paid: an approved one before others, then the latest."""
    rows = Submission.objects.filter(study=study, person__in=list(people)).select_related("person")
    ranked = sorted(rows, key=lambda row: (row.status == Submission.APPROVED, row.status in row.REWARDED, row.pk))
    return {row.person_id: row for row in ranked if row.person_id is not None}


def seen_by(all_shares: BonusShares) -> str:
    """What a form sends of the amounts that the lead sees."""
    return " ".join(f"{one.submission.submission_id}:{one.seconds}:{one.cents}" for one in all_shares.due)


@service
def confirm(
    study: Study, *, seen: str, only: frozenset[int], until: date, key: uuid.UUID, by: User, now: datetime, today: date
) -> Bonus:
    """Owe these bonuses to Prolific instead of to the people: they are sent as soon as the job runs.

    `seen`: what `seen_by` said; `only`: the people (by key) who get theirs now. The same form sent twice confirms once.
    WrongMove if the amounts are others by now, nobody is chosen, or study and project have different currencies.
    """
    Project.objects.select_for_update(no_key=True).get(pk=study.project_id)
    row = Study.objects.select_for_update(no_key=True).select_related("project").get(pk=study.pk)
    if (known := Bonus.objects.filter(study=row, settlement=key).first()) is not None:
        return known
    found = shares(row, until=until)
    # A key of other payments would let these stand without one.
    used = Payment.objects.filter(settlement=key).exists() or Bonus.objects.filter(settlement=key).exists()
    if used or row.ended_at is not None or seen_by(found) != seen:
        raise WrongMove(CHANGED)
    if found.currency != row.currency:
        raise WrongMove(_("The study pays in another currency than the project."))
    due = [share for share in found.due if share.person in only]
    if not due:
        raise WrongMove(_("Nobody is chosen."))
    words = payments.PaidWith(on=today, note=NOTE, key=key)
    seconds = {share.person: share.seconds for share in due}
    payments.mark_paid(row.project, seconds, period=found.period, words=words, by=by, now=now)
    return _confirmed(row, due, key, by, now)


def _confirmed(study: Study, due: list[BonusShare], key: uuid.UUID, by: User, now: datetime) -> Bonus:
    made = Bonus.objects.create(study=study, settlement=key, next_at=now, by=by, at=now)
    BonusPart.objects.bulk_create(
        BonusPart(
            bonus=made,
            person_id=share.person,
            submission_id=share.submission.submission_id,
            cents=share.cents,
            reward=share.reward,
        )
        for share in due
    )
    cents = sum(share.cents for share in due)
    events.record("bonus.confirmed", made, by=by, now=now, n=len(due), cents=cents, currency=study.currency)
    return made


@service
def take_back(bonus: Bonus, *, by: User, now: datetime) -> None:
    """Pay nothing of it, while it is certain that Prolific was not told to. WrongMove once it was."""
    row = Bonus.objects.select_for_update(no_key=True).select_related("study__project").get(pk=bonus.pk)
    if row.state not in {Bonus.State.CONFIRMED, Bonus.State.SET_UP}:
        raise WrongMove(_("It is too late: Prolific was told to pay."))
    fail(row, Bonus.State.NOT_PAID, by=by, now=now)


@service
def decide(bonus: Bonus, *, paid: bool, by: User, now: datetime) -> None:
    """Say what the lead has seen on Prolific of those parts that were not found there. WrongMove if it is not unclear.

    Parts that were found stay paid; the others are paid or owed again.
    """
    row = Bonus.objects.select_for_update(no_key=True).select_related("study__project").get(pk=bonus.pk)
    if row.state != Bonus.State.UNCLEAR:
        raise WrongMove(_("It is decided already."))
    if paid:
        state_machine.move(row, Bonus.State.PAID, moves=BONUS_MOVES, by=by, now=now, data={"decided": True})
    else:
        fail(row, Bonus.State.NOT_PAID, by=by, now=now)


def fail(row: Bonus, to: Bonus.State, *, by: User | None, now: datetime, problem: str = "") -> None:
    """Move to a state in which nothing was paid, and undo the payments but those of parts that were found."""
    state_machine.move(row, to, moves=BONUS_MOVES, by=by, now=now, data={"problem": problem}, problem=problem)
    for part in row.parts.filter(found=False).select_related("person"):
        payments.undo_payments(row.study.project, row.settlement, person=part.person, by=by or row.by, now=now)


def forget(user: User) -> None:
    """Take out by which submission a bonus was paid. WrongMove while it is not certain whether one is paid."""
    parts = BonusPart.objects.filter(person=user)
    if parts.filter(bonus__state__in=[*UNDER_WAY, Bonus.State.UNCLEAR]).exists():
        raise WrongMove(_("A bonus on Prolific is under way for this person. Erase them when it is paid or refused."))
    parts.update(submission_id="")
