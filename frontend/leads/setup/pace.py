"""How many working days an estimate comes to, with so many people who work so many hours a day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.db.models import OuterRef
from django.utils.translation import gettext_lazy as _

from annotation.membership import seeing_answers
from annotation.models import Membership, Project
from tasks.engine.eligibility import WORKERS
from tasks.setup.estimate import WorkEstimate

HOURS = 4
"""Hours of annotation a day, unless the lead says otherwise; nobody keeps it up for eight."""
PEOPLE = 5
"""How many people a new project is reckoned with until its lead says otherwise."""
WHOLE = {
    "required": _("Give a whole number of people."),
    "invalid": _("Give a whole number of people."),
    "min_value": _("Give one person at least."),
    "max_value": _("Give %(limit_value)s people at most."),
}
HOURS_A_DAY = {
    "required": _("Give the hours of a day."),
    "invalid": _("Give hours as a number, such as 4 or 2.5."),
    "min_value": _("Give a quarter of an hour a day at least."),
    "max_value": _("A day has %(limit_value)s hours."),
}


class PaceForm(forms.Form):
    """Who works, and how long; sent with the address, since nothing is kept of it."""

    people = forms.IntegerField(label=_("People"), min_value=1, max_value=10_000, error_messages=WHOLE)
    hours = forms.FloatField(label=_("Hours a day"), min_value=0.25, max_value=24, error_messages=HOURS_A_DAY)


@dataclass(frozen=True)
class Pace:
    """The form as it was sent or begins, and the days (mean, low, high); None if it can't be calculated with."""

    form: PaceForm
    days: tuple[float, float, float] | None

    @property
    def places(self) -> str:
        """How days are rounded, for the filter `floatformat`: to tenths if they are few."""
        return "1g" if self.days and self.days[0] < 10 else "0g"

    @property
    def is_short(self) -> bool:
        """Whether a day is enough, even if everything takes as long as it may."""
        return self.days is not None and max(self.days) <= 1

    @property
    def error(self) -> str:
        """What is wrong with what was entered."""
        return str(next((said for errors in self.form.errors.values() for said in errors), ""))


def pace_of(project: Project, estimate: WorkEstimate, query: Mapping[str, str]) -> Pace | None:
    """The days for the people and hours of an address, or else for those who may work now; None if nothing is left."""
    if not estimate.hours()[0]:
        return None
    return pace_for(estimate, query, people=max(1, able_to_work(project)))


def pace_for(
    estimate: WorkEstimate | None, query: Mapping[str, str], *, people: int = PEOPLE, prefix: str | None = None
) -> Pace:
    """The days for the people and hours in `query`, by the names of the form's fields, or else for so many people."""
    names = {name: PaceForm(prefix=prefix).add_prefix(name) for name in ("people", "hours")}
    begins = {"people": people, "hours": HOURS}
    form = PaceForm({at: query.get(at, begins[name]) for name, at in names.items()}, prefix=prefix)
    if not form.is_valid() or estimate is None or not estimate.hours()[0]:
        return Pace(form, None)
    return Pace(form, estimate.days(form.cleaned_data["people"], form.cleaned_data["hours"]))


def able_to_work(project: Project) -> int:
    """The members who may take new work."""
    members = Membership.objects.filter(project=project, role__in=WORKERS, ended_at=None, no_new_work_since=None)
    able = members.exclude(seeing_answers(OuterRef("user"), project.pk))
    return able.values("user").distinct().count()
