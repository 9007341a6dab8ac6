"""The pay of a project as its leads settle it: a row for each person, with what they are owed and what was paid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation import clock, projects
from annotation.models import Payment, Project, User
from annotation.worktime import totals
from frontend.leads.members import invited_names
from frontend.requests import parse_day
from tasks.models import Bonus
from tasks.people import payments
from tasks.people.earnings import LedgerDay, Period, earned

PER_PAGE = 100
HEADER = (
    "invited_name", "user_name", "code", "participant_id", "finished", "excluded", "accepted", "worked_hours",
    "amended_hours", "waited_hours", "idle_hours", "paid_hours", "earned", "owed", "paid", "currency", "paid_on",
    "note", "since", "until", "by_script", "paid_otherwise",
)  # fmt: skip


class DayThatHasCome(forms.DateField):
    """A day that is not in the future."""

    def clean(self, value: Any) -> date | None:
        """The day."""
        found: date | None = super().clean(value)
        if found and found > timezone.localdate(clock.now()):
            raise ValidationError(_("This day has not come yet."))
        return found


class PaidForm(forms.Form):
    """What a lead marks as paid: the day, a note, what the page showed (`PayTable.seen`), and of whom, if of one."""

    paid_on = DayThatHasCome(error_messages=dict.fromkeys(("required", "invalid"), _("Say on which day.")))
    note = forms.CharField(required=False, max_length=Payment.LONGEST_NOTE)
    seen = forms.CharField(error_messages={"required": _("Nobody is owed anything for this time.")})
    only = forms.CharField(required=False)
    key = forms.UUIDField()

    def words(self) -> payments.PaidWith:
        """What a valid form says beside the amounts."""
        return payments.PaidWith(*(self.cleaned_data[name] for name in ("paid_on", "note", "key")))


@dataclass(frozen=True)
class PaidBefore:
    """A payment that stands: how much, on which day, with which note; `key` is that of its form.

    `as_bonus`: it stands for a bonus that Prolific pays, so it is not undone here.
    """

    amount: Decimal
    currency: str
    on: date
    note: str
    key: str
    by: str
    as_bonus: bool


@dataclass(frozen=True)
class PayRow:
    """A person's row: what they did in the period (`did`), what it brings, and what they are owed at its end.

    `seconds`: what the amount owed is about; below zero if more was paid than counts by now. `carried`: what of the
    amount owed is from before the period. Amounts are None where the rate is no amount an hour.
    """

    invited: str
    name: str
    code: str
    external_id: str
    did: LedgerDay
    earned: Decimal | None
    seconds: int
    owed: Decimal | None
    carried: Decimal | None
    paid: list[PaidBefore]

    @property
    def accepted(self) -> int:
        """Finished pieces of work that count in releases."""
        return max(0, self.did.finished - self.did.excluded)

    @property
    def is_owed(self) -> bool:
        """Whether anything can be paid."""
        return self.owed is not None and self.owed > 0

    def paid_in(self, currency: str) -> Decimal:
        """What was paid for the period in this currency."""
        return sum((one.amount for one in self.paid if one.currency == currency), Decimal(0))

    def paid_otherwise(self, currency: str) -> str:
        """What was paid for it at a rate in any other one, each payment with its own."""
        return "; ".join(f"{one.amount} {one.currency}" for one in self.paid if one.currency != currency)


@dataclass(frozen=True)
class PayTable:
    """Everybody's rows, by name; `rate` in words, `currency`: "" if no amount can be calculated."""

    period: Period
    rate: str
    currency: str
    rows: list[PayRow]

    @property
    def due(self) -> list[PayRow]:
        """The rows of those who are owed something."""
        return [row for row in self.rows if row.is_owed]

    @property
    def total(self) -> Decimal:
        """What is owed to all of them."""
        return sum((row.owed for row in self.due if row.owed is not None), Decimal(0))

    @property
    def shows_paid(self) -> bool:
        """Whether anything can be marked as paid, or was, at whatever rate."""
        return bool(self.currency) or any(row.paid for row in self.rows)

    @property
    def seen(self) -> str:
        """What the form sends of the amounts that the lead sees: codes with seconds."""
        return " ".join(f"{row.code}:{row.seconds}" for row in self.due)


def period_of(project: Project, sent: Mapping[str, str], *, today: date) -> Period:
    """The period that an address asks for, by default until today, from the day after the last one that was paid.

    Without a rate from the beginning, as nothing is carried over then that was not paid in the last one.
    """
    until = parse_day(sent.get("until", "")) or today
    if "since" in sent:
        return Period(parse_day(sent["since"]), until)
    has_rate = totals.amount_of_pay(projects.project_config(project).pay, 3600) is not None
    last = payments.last_end(project) if has_rate else None
    return Period(None if last is None else min(timezone.localdate(last), until), until)


def pay_table(project: Project, period: Period) -> PayTable:
    """Everybody who did anything in the period, is owed something, or was paid for it."""
    did, so_far = earned(project, period), earned(project, period.so_far)
    owed, paid = payments.owed(project, so_far), _paid(project, period)
    hour = totals.amount_of_pay(rate := projects.project_config(project).pay, 3600)
    keys = did.keys() | paid.keys() | {one for one, seconds in owed.items() if seconds > 0}
    names = invited_names(project, keys)
    outside = dict(project.participants.filter(user__in=keys).values_list("user", "external_id"))
    rows = []
    for person in User.objects.filter(pk__in=keys):
        mine, seconds = did.get(person.pk, LedgerDay()), owed.get(person.pk, 0)
        rows.append(
            PayRow(
                invited=names.get(person.pk, ""),
                name=person.username,
                code=person.worker_code,
                external_id=outside.get(person.pk, ""),
                did=mine,
                earned=_amount(rate, mine.paid),
                seconds=seconds,
                owed=_amount(rate, seconds),
                carried=_amount(rate, max(0, seconds - round(mine.paid))) or None,
                paid=paid.get(person.pk, []),
            )
        )
    rows.sort(key=lambda row: ((row.invited or row.name).casefold(), row.code))
    return PayTable(period, rate, hour[1] if hour else "", rows)


def _amount(rate: str, seconds: float) -> Decimal | None:
    found = totals.amount_of_pay(rate, seconds)
    return None if found is None else found[0]


def _paid(project: Project, period: Period) -> dict[int, list[PaidBefore]]:
    """The payments that stand for any part of the period, the latest last."""
    rows = Payment.objects.filter(project=project, undoes=None, undone_by=None).select_related("by").order_by("pk")
    rows = rows.filter(Q(begins_at=None) | Q(begins_at__lt=period.ends))
    if period.begins is not None:
        rows = rows.filter(ends_at__gt=period.begins)
    found: defaultdict[int, list[PaidBefore]] = defaultdict(list)
    bonuses = set(Bonus.objects.filter(study__project=project).values_list("settlement", flat=True))
    for row in rows:
        key, as_bonus = str(row.settlement), row.settlement in bonuses
        one = PaidBefore(row.amount, row.currency, row.paid_on, row.note, key, row.by.username, as_bonus)
        found[row.annotator_id].append(one)
    return found


def pay_lines(table: PayTable) -> Iterator[tuple[Any, ...]]:
    """The names of the columns, and a row for each person; hours with two places."""
    yield HEADER
    for row in table.rows:
        did = row.did
        times = (did.counted, did.amended, did.waited, did.idle, did.paid)
        yield (
            row.invited, row.name, row.code, row.external_id, did.finished, did.excluded, row.accepted,
            *(f"{seconds / 3600:.2f}" for seconds in times),
            row.earned, row.owed, row.paid_in(table.currency) if table.currency else None, table.currency,
            "; ".join(str(one.on) for one in row.paid), "; ".join(one.note for one in row.paid if one.note),
            table.period.since, table.period.until, did.by_script, row.paid_otherwise(table.currency),
        )  # fmt: skip


def days_of_period(period: Period) -> dict[str, str]:
    """The period as the address of the page says it."""
    return {"since": str(period.since or ""), "until": str(period.until)}


def seen_seconds(project: Project, sent: str, *, only: str) -> dict[int, int]:
    """By the key of the person, the seconds that a form says the lead saw; only those of that code if it is given."""
    said = dict(_pairs(sent.split()))
    codes = {only} & said.keys() if only else said.keys()
    known = User.objects.filter(memberships__project=project, worker_code__in=codes)
    people = dict(known.values_list("worker_code", "pk"))
    return {people[code]: seconds for code, seconds in said.items() if code in people}


def _pairs(words: Iterable[str]) -> Iterator[tuple[str, int]]:
    for word in words:
        code, _colon, seconds = word.partition(":")
        if seconds.isascii() and seconds.isdigit() and len(seconds) < 10:
            yield code, int(seconds)
