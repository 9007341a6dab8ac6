"""What a project owes people, and a lead's word of what was paid. The site itself pays nothing."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q, Sum

from annotation import projects
from annotation.errors import NotFound, PayloadInvalid, Problem, WrongMove
from annotation.i18n import _
from annotation.models import Payment, Project, User
from annotation.worktime import totals
from tasks.engine.transactions import service
from tasks.models import BonusPart
from tasks.models.prolific import FAILED
from tasks.people.earnings import LedgerDay, Period, earned


@dataclass(frozen=True)
class PaidWith:
    """What a lead writes about a payment: the day, a note ("" for none), and the key of the form."""

    on: date
    note: str
    key: uuid.UUID


def owed(project: Project, so_far: Mapping[int, LedgerDay]) -> dict[int, int]:
    """By person, seconds of `so_far` (what was earned up to some day) that no payment is about, of whatever period.

    Below zero where less counts by now than was paid, as an amendment may take time off. A change of the rate is
    therefore about work that is not paid yet, and time that counts belatedly is owed the next time.
    """
    paid = paid_seconds(project)
    people = so_far.keys() | paid.keys()
    found = {one: round(so_far[one].paid if one in so_far else 0.0) - paid.get(one, 0) for one in people}
    return {one: seconds for one, seconds in found.items() if seconds}


def paid_seconds(project: Project, only: Q | None = None) -> dict[int, int]:
    """By person, seconds that are paid, without payments that were undone; `only`: those of these payments."""
    rows = Payment.objects.filter(only or Q(), project=project).order_by().values_list("annotator")
    return dict(rows.annotate(sum=Sum("seconds")).values_list("annotator", "sum"))


def last_end(project: Project) -> datetime | None:
    """When the period of the last payment ends that stands; None if there is none."""
    standing = Payment.objects.filter(project=project, undoes=None, undone_by=None)
    return standing.order_by("-ends_at").values_list("ends_at", flat=True).first()


@service
def mark_paid(
    project: Project, seen: Mapping[int, int], *, period: Period, words: PaidWith, by: User, now: datetime
) -> list[Payment]:
    """Write down that these seconds of these people (by key) are paid at the project's rate; returns the rows.

    The same form sent twice writes nothing. Raises WrongMove if by now less is owed to any of them, as somebody else
    has marked it: then nothing is written. PayloadInvalid: nobody is owed anything, or no amount follows from the rate.
    """
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    known = list(Payment.objects.filter(project=project, settlement=words.key, undoes=None).order_by("pk"))
    if known:
        return known
    rate = projects.project_config(locked).pay
    if not seen or totals.amount_of_pay(rate, 3600) is None:
        raise PayloadInvalid((Problem("seen", "nothing", _("Nobody is owed anything for this time.")),))
    due = owed(locked, earned(locked, period.so_far))
    if any(not 0 < seconds <= due.get(person, 0) for person, seconds in seen.items()):
        raise WrongMove(_("Some of this is marked as paid already. Nothing was marked."))
    return Payment.objects.bulk_create(
        [_payment(locked, person, seconds, rate, period, words, by, now) for person, seconds in sorted(seen.items())]
    )


def _payment(
    project: Project,
    person: int,
    seconds: int,
    rate: str,
    period: Period,
    words: PaidWith,
    by: User,
    now: datetime,
) -> Payment:
    amount, currency = totals.amount_of_pay(rate, seconds) or (0, "")
    return Payment(
        project=project, annotator_id=person, begins_at=period.begins, ends_at=period.ends, seconds=seconds, rate=rate,
        amount=amount, currency=currency, paid_on=words.on, note=words.note, settlement=words.key, by=by, at=now,
    )  # fmt: skip


@service
def undo_payments(project: Project, key: uuid.UUID, *, person: User | None, by: User, now: datetime) -> list[Payment]:
    """Say that what was marked with that form is not paid, for one person or for all; any lead may, at any time.

    Raises NotFound if there is no such payment, and WrongMove if it is undone already, or if it stands for bonuses that
    Prolific has paid or may have paid.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    rows = Payment.objects.filter(project=project, settlement=key, undoes=None).select_related("undone_by")
    if person is not None:
        rows = rows.filter(annotator=person)
    if not rows:
        raise NotFound
    standing = [row for row in rows.order_by("pk") if not hasattr(row, "undone_by")]
    if not standing:
        raise WrongMove(_("It is undone already."))
    if _sent_elsewhere(project, key, standing):
        raise WrongMove(_("This was sent to Prolific as bonuses. The Prolific page says what has become of them."))
    return Payment.objects.bulk_create([_undoing(row, by, now) for row in standing])


def _sent_elsewhere(project: Project, key: uuid.UUID, standing: list[Payment]) -> bool:
    """Whether any of these stands for a bonus of which it is not certain that no money has moved."""
    people = [row.annotator_id for row in standing]
    parts = BonusPart.objects.filter(bonus__study__project=project, bonus__settlement=key, person__in=people)
    return parts.exclude(bonus__state__in=FAILED, found=False).exists()


def _undoing(row: Payment, by: User, now: datetime) -> Payment:
    return Payment(
        project_id=row.project_id, annotator_id=row.annotator_id, begins_at=row.begins_at, ends_at=row.ends_at,
        seconds=-row.seconds, rate=row.rate, amount=-row.amount, currency=row.currency, paid_on=row.paid_on,
        settlement=row.settlement, undoes=row, by=by, at=now,
    )  # fmt: skip
