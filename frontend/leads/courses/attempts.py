"""The attempts at an exam as leads see them: who, when, for how long, with what points and outcome; trials are none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from annotation import events
from annotation.models import Event, Membership, User
from frontend.leads.courses import overview
from qualification.courses import deciding, editing
from qualification.courses.content import Course
from qualification.courses.grading import BlockResult
from qualification.models import Attempt, AttemptPurpose, AttemptState, ExtraTime, Outcome, Qualification

PER_PAGE = 50
OPEN, VOIDED = "open", "voided"
FILTERS: list[tuple[str, Any]] = [("", _("All")), *Outcome.choices, (OPEN, _("Open")), (VOIDED, _("Voided"))]
"""By which attempts can be narrowed down: their outcome, or where they stand."""
DECISIONS: dict[str, Any] = {
    "exam.more_time": _("%(minutes)s minutes more for %(name)s"),
    "attempt.voided": _("Attempt %(n)s of %(name)s does not count"),
    "attempt.counted_again": _("Attempt %(n)s of %(name)s counts again"),
}
LATEST = 30


class MoreTimeForm(forms.Form):
    """Whom to give more time, how much, and why."""

    person = forms.CharField(
        label=_("Whom"), max_length=150, error_messages={"required": _("Name a member.")},
        help_text=_("User name or worker code."),
    )  # fmt: skip
    minutes = forms.IntegerField(
        label=_("Minutes more"),
        min_value=0,
        max_value=deciding.MOST_MINUTES,
        error_messages={"required": _("Say how many.")},
        help_text=_("In every attempt from the next one on; 0: none any more."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("Kept in the history, with your name."),
        error_messages={"required": _("Give a reason.")},
    )

    def __init__(self, qualification: Qualification, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = qualification.project

    def clean_person(self) -> User:
        """The member with this name or code."""
        named = self.cleaned_data["person"]
        live = Membership.objects.filter(project=self.project, ended_at__isnull=True)
        rows = User.objects.filter(memberships__in=live).filter(Q(username=named) | Q(worker_code=named))
        found = rows.distinct().first()
        if found is None:
            raise ValidationError(_("No member has this name or code."))
        return found


@dataclass(frozen=True)
class AttemptOnPage:
    """An attempt: minutes that it took (None while it is open), and of each block its title and result."""

    row: Attempt
    minutes: int | None
    blocks: list[tuple[str, BlockResult]]

    @property
    def points(self) -> list[tuple[str, str, bool]]:
        """Of each block its title, its points as read, and whether it is passed."""
        return [
            (title, f"{overview.points_in_words(each.points)} / {each.of}", each.passed) for title, each in self.blocks
        ]


def attempts_of(qualification: Qualification, wanted: str = "") -> QuerySet[Attempt]:
    """Those that count and those that were voided, the latest first, or only such as one of FILTERS says."""
    rows = qualification.attempts.filter(purpose=AttemptPurpose.EXAM).select_related("user", "course")
    if wanted == OPEN:
        rows = rows.filter(state=AttemptState.OPEN, voided_at=None)
    elif wanted == VOIDED:
        rows = rows.filter(voided_at__isnull=False)
    elif wanted in Outcome.values:
        rows = rows.filter(outcome=wanted, voided_at=None)
    return rows.order_by("-issued_at", "-pk")


def attempts_page(qualification: Qualification, wanted: str, page: str) -> Page[Any]:
    """A page of them."""
    found: Page[Any] = Paginator(attempts_of(qualification, wanted), PER_PAGE).get_page(page)
    found.object_list = shown_attempts(found.object_list)
    return found


def shown_attempts(rows: Iterable[Attempt]) -> list[AttemptOnPage]:
    """These attempts with the results of their blocks, in the same order."""
    courses: dict[int, Course] = {}
    return [_on_page(row, courses) for row in rows]


def _on_page(row: Attempt, courses: dict[int, Course]) -> AttemptOnPage:
    if row.course_id not in courses:
        courses[row.course_id] = editing.read(row.course)
    titles = {block.key: block.title for block in courses[row.course_id].blocks}
    results = [BlockResult.read(each) for each in row.blocks]
    minutes = round((row.finished_at - row.issued_at).total_seconds() / 60) if row.finished_at else None
    return AttemptOnPage(row, minutes, [(titles[each.block], each) for each in results])


def attempt_lines(qualification: Qualification) -> Iterator[list[Any]]:
    """All of them as the lines of a table, the first with the names of its columns; points as decimals."""
    keys: dict[str, str] = {}
    for version in qualification.course_versions.order_by("version"):
        keys |= {block.key: block.title for block in editing.read(version).blocks}
    named = ["worker_code", "attempt", "version", "issued_at", "finished_at", "minutes", "state", "outcome"]
    yield [*named, "voided_at", "voided_why", *(f"{title} ({key})" for key, title in keys.items())]
    courses: dict[int, Course] = {}
    for row in attempts_of(qualification).iterator(chunk_size=500):
        shown = _on_page(row, courses)
        points = {each.block: float(each.points) for _title, each in shown.blocks}
        times = [each.isoformat() if each else "" for each in (row.issued_at, row.finished_at)]
        about = [row.user.worker_code, row.n, row.course.version, *times, shown.minutes, row.state, row.outcome]
        voided = [row.voided_at.isoformat() if row.voided_at else "", row.voided_why]
        yield [*about, *voided, *(points.get(key, "") for key in keys)]


def with_more_time(qualification: Qualification) -> list[ExtraTime]:
    """For whom more time counts now, by name."""
    rows = ExtraTime.objects.filter(qualification=qualification).select_related("user", "by").order_by("pk")
    latest = {row.user_id: row for row in rows}
    return sorted((row for row in latest.values() if row.minutes), key=lambda row: row.user.username)


def decisions(qualification: Qualification) -> list[dict[str, Any]]:
    """What leads decided about exams, newest first."""
    uuids = qualification.attempts.filter(purpose=AttemptPurpose.EXAM).values_list("uuid", flat=True)
    subjects = [events.name(qualification), *(f"attempt:{uuid}" for uuid in uuids)]
    rows = Event.objects.filter(project_id=qualification.project_id, kind__in=DECISIONS).order_by("-pk")[:1000]
    latest = [row for row in rows if row.subject in set(subjects)][:LATEST]
    keys = {row.by for row in latest if row.by} | {row.data["user"] for row in latest}
    names = dict(User.objects.filter(pk__in=keys).values_list("pk", "username"))
    return [
        {
            "what": str(DECISIONS[row.kind]) % {**row.data, "name": names.get(row.data["user"], "")},
            "by": names.get(row.by or 0, ""),
            "at": row.at,
            "why": row.data.get("reason", ""),
        }
        for row in latest
    ]


def attempts_context(qualification: Qualification, wanted: str, page: str) -> dict[str, Any]:
    """What the page shows; an unknown filter is none."""
    chosen = wanted if wanted in dict(FILTERS) else ""
    return {
        "project": qualification.project,
        "qualification": qualification,
        "attempts": attempts_page(qualification, chosen, page),
        "filters": FILTERS,
        "chosen": chosen,
        "extra": with_more_time(qualification),
        "decisions": decisions(qualification),
        "tab": "attempts",
    }
