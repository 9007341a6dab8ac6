"""What a person sees of their pay: what leads have marked as paid, and what is not paid yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from annotation import projects
from annotation.documents.words import alphabetical
from annotation.models import Payment, Project, User
from annotation.worktime import totals
from tasks.people import payments
from tasks.people.earnings import Period

LATEST = 50
"""How many payments the page lists at most."""


@dataclass(frozen=True)
class ProjectPay:
    """A project's pay so far: what was paid, and what is not yet (`owed`); amounts in words, "" for nothing."""

    project: str
    slug: str
    rate: str
    paid: str
    owed: str


@dataclass(frozen=True)
class PaidOnce:
    """A payment: its amount in words, the day, for which period, and what the lead wrote."""

    project: str
    slug: str
    amount: str
    on: date
    period: Period
    note: str


@dataclass(frozen=True)
class OwnPay:
    """Everything about it; `more`: whether there are payments before the latest."""

    projects: list[ProjectPay]
    payments: list[PaidOnce]
    more: bool


def own_pay(user: User, worked_in: Iterable[Project], *, only: bool = False) -> OwnPay:
    """The pay of the projects in which the person works, or was paid, by title, and their latest payments.

    `only`: not of projects in which they were paid, beside those that are given.
    """
    standing = Payment.objects.filter(annotator=user, undoes=None, undone_by=None).select_related("project")
    keys = {project.pk for project in worked_in}
    if only:
        standing = standing.filter(project__in=keys)
    latest = list(standing.order_by("-paid_on", "-pk")[: LATEST + 1])
    keys |= set(standing.order_by().values_list("project", flat=True))
    known = sorted(Project.objects.filter(pk__in=keys), key=lambda project: alphabetical(project.title))
    rows = [_project(project, user, standing.filter(project=project)) for project in known]
    return OwnPay(
        [row for row in rows if row.rate or row.paid], [_payment(row) for row in latest[:LATEST]], len(latest) > LATEST
    )


def _project(project: Project, user: User, standing: Iterable[Payment]) -> ProjectPay:
    rate = projects.project_config(project).pay
    seconds = round(totals.counted(project, user)) - payments.paid_seconds(project, Q(annotator=user)).get(user.pk, 0)
    owed = totals.amount_of_pay(rate, seconds) if seconds > 0 else None
    return ProjectPay(
        project=project.title,
        slug=project.slug,
        rate=rate,
        paid=totals.pay_in_words((row.amount, row.currency) for row in standing),
        owed=totals.pay_in_words([owed]) if owed is not None and owed[0] else "",
    )


def _payment(row: Payment) -> PaidOnce:
    amount = totals.pay_in_words([(row.amount, row.currency)])
    period = Period.between(row.begins_at, row.ends_at)
    return PaidOnce(row.project.title, row.project.slug, amount, row.paid_on, period, row.note)
