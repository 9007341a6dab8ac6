"""What a person's account page shows and changes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Count, Q, Sum
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.models import Flag, TimeAmendment, TimeSpan, User
from annotation.worktime import totals
from frontend.courses.pages import points_for_people
from qualification import sign_ins
from qualification.courses import enrolling
from qualification.marks import BlockPoints
from qualification.models import Attempt, AttemptPurpose, AttemptState, Enrolment
from tasks.models import NO_DATA, Assignment
from tasks.models.states import AssignmentState

BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone|iPad", "iOS"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


class EmailForm(forms.Form):
    """A new e-mail address, or none, with the password."""

    email = forms.EmailField(required=False, max_length=254)
    password = forms.CharField(strip=False, max_length=1000)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)

    def clean_password(self) -> str:
        """The password, if it is the person's."""
        if not self.user.check_password(self.cleaned_data["password"]):
            raise ValidationError(_("This is not your password."))
        return str(self.cleaned_data["password"])

    def save(self) -> None:
        """Change it."""
        self.user.email = self.cleaned_data["email"]
        self.user.save(update_fields=["email"])


@dataclass(frozen=True)
class SignedIn:
    """One of the person's sessions, in words; `current`: that of this page."""

    pk: int
    browser: str
    address: str
    at: datetime
    current: bool


@dataclass(frozen=True)
class Record:
    """What the person has done: pieces of work by what became of them, problems reported, and seconds that count."""

    finished: int
    skipped: int
    reported: int
    seconds: float


def sign_ins_of(user: User, *, current: str, now: datetime) -> list[SignedIn]:
    """Where the person is signed in, latest first."""
    return [
        SignedIn(row.pk, _browser(row.browser), row.address, row.at, row.session_key == current)
        for row in sign_ins.live_sign_ins(user, now=now)
    ]


def attempts_of(user: User) -> list[Attempt]:
    """The person's attempts at exams that are over, latest first; a lead's trials are none."""
    rows = Attempt.objects.filter(user=user, purpose=AttemptPurpose.EXAM).exclude(state=AttemptState.OPEN)
    return list(rows.select_related("qualification__project", "course").order_by("-finished_at"))


def tutorials_of(user: User) -> list[tuple[Enrolment, BlockPoints, str]]:
    """The person's tutorials, latest first: the points of the last try at each item, also as people read them."""
    rows = Enrolment.objects.filter(user=user).select_related("course__qualification__project").order_by("-begun_at")
    found = [(row, enrolling.tutorial_points(row)) for row in rows]
    return [(row, points, points_for_people(points)) for row, points in found if points is not None]


def record_of(user: User) -> Record:
    """Over all projects."""
    held = Assignment.objects.filter(annotator=user).exclude(task__queue__activity__in=NO_DATA)
    counts = held.aggregate(
        finished=Count("pk", filter=Q(state=AssignmentState.SUBMITTED)),
        skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
    )
    spent = totals.spent_of_row(TimeSpan.objects.filter(annotator=user).aggregate(**totals.BY_KIND))
    amended = TimeAmendment.objects.filter(annotator=user).aggregate(sum=Sum("minutes"))["sum"] or 0
    seconds = (spent + totals.Spent(amended=60 * amended)).counts
    return Record(counts["finished"], counts["skipped"], Flag.objects.filter(author=user).count(), seconds)


def _browser(agent: str) -> str:
    """Browser and system by name, as far as they say."""
    browser, system = (_first(agent, names) for names in (BROWSERS, SYSTEMS))
    if not browser:
        return gettext("Unknown browser")
    return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser


def _first(agent: str, names: Iterable[tuple[str, str]]) -> str:
    return next((name for pattern, name in names if re.search(pattern, agent)), "")
