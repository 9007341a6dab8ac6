"""The page of a project's study: whether the two fit, who takes part, bonuses before and after, groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation import projects
from annotation.models import Event, Project
from annotation.outgoing import addresses, calling
from frontend.leads.event_lines import EventLine, event_lines
from frontend.leads.members import invited_names
from qualification.models import Qualification
from tasks.models import NO_DATA, Assignment, Bonus, Study, Submission
from tasks.models.states import AssignmentState
from tasks.prolific import api, bonuses, connecting
from tasks.prolific.bonuses import BonusShare

PER_PAGE = 100
LATEST_BONUSES = 20
STATUSES: dict[str, Any] = {
    "RESERVED": gettext_lazy("Has reserved a place"),
    "ACTIVE": gettext_lazy("At work"),
    "AWAITING REVIEW": gettext_lazy("Awaits review"),
    "APPROVED": gettext_lazy("Approved"),
    "PARTIALLY APPROVED": gettext_lazy("Approved in part"),
    "REJECTED": gettext_lazy("Rejected"),
    "RETURNED": gettext_lazy("Returned"),
    "TIMED-OUT": gettext_lazy("Ran out of time"),
    "SCREENED OUT": gettext_lazy("Screened out"),
}
"""Prolific's words for the states of submissions, in ours."""
BADGES = {"AWAITING REVIEW": "gold", "APPROVED": "ok", "ACTIVE": "blue"}
BONUS_BADGES = {Bonus.State.PAID: "ok", Bonus.State.UNCLEAR: "gold", Bonus.State.REFUSED: "red"}


@dataclass(frozen=True)
class StudyFit:
    """Whether something of study and project fits; `words` say it, or what to do."""

    is_so: bool
    words: str


@dataclass(frozen=True)
class SubmissionRow:
    """A submission: whose (`name` "" if nobody has joined with that id), its state in words, and what they finished."""

    row: Submission
    name: str
    code: str
    status: str
    badge: str
    finished: int
    is_approvable: bool
    code_fits: bool


@dataclass(frozen=True)
class BonusRow:
    """Bonuses that were confirmed together, with amounts in words, and who of them was found on Prolific."""

    row: Bonus
    badge: str
    amount: str
    charged: str
    parts: list[tuple[str, str, bool]]
    may_take_back: bool


def blocked_host() -> str:
    """The host that an admin has to allow first; "" if that is done."""
    host = addresses.target_of(f"{api.base()}/").allowed_as
    return "" if calling.is_allowed(host) else host


def fits(study: Study, address: str) -> list[StudyFit]:
    """What has to be alike; `address`: that of the project, without placeholders."""
    recruiting = projects.project_config(study.project).recruiting
    leads_here = study.address.partition("?")[0].rstrip("/") == address.rstrip("/")
    told = [
        (recruiting.open, _("Open sign-up is on."), _("Turn on open sign-up on People.")),
        (
            leads_here and "{{%PROLIFIC_PID%}}" in study.address,
            _("The study leads to this project, with the participant’s id."),
            _("Give the study the address from People, placeholders included."),
        ),
        (
            recruiting.parameters[:1] == ("PROLIFIC_PID",),
            _("PROLIFIC_PID names people."),
            _("Put PROLIFIC_PID first among the parameters of the address."),
        ),
    ]
    found = [StudyFit(is_so, words if is_so else otherwise) for is_so, words, otherwise in told]
    return [*found, _code_fit(study, recruiting.completion_code)]


def _code_fit(study: Study, code: str) -> StudyFit:
    if code in study.codes:
        return StudyFit(True, _("The completion code %(code)s is one of the study’s.") % {"code": code})
    if not code:
        return StudyFit(False, _("The project has no completion code."))
    return StudyFit(False, _("The project’s completion code %(code)s is none of the study’s.") % {"code": code})


def other_codes(study: Study) -> list[str]:
    """Codes of the study that the project could take; [] if its own is one of them."""
    own = projects.project_config(study.project).recruiting.completion_code
    return [] if own in study.codes else list(study.codes)


def counts(study: Study) -> list[tuple[str, int]]:
    """How many submissions are in each state, in words."""
    rows = study.submissions.order_by().values_list("status").annotate(n=Count("pk"))
    places = {status: place for place, status in enumerate(STATUSES)}
    ordered = sorted(rows, key=lambda row: (places.get(row[0], len(places)), row[0]))
    return [(status_in_words(status), n) for status, n in ordered]


def status_in_words(status: str) -> str:
    """A state of Prolific's; one that is not known as it is."""
    return str(STATUSES.get(status, status))


def submissions_page(study: Study, number: str) -> Page[Any]:
    """A page of the submissions: those that await review first, then the latest."""
    waiting = Q(status=Submission.AWAITING)
    rows = study.submissions.select_related("person").annotate(waits=waiting).order_by("-waits", "-started_at", "-pk")
    page: Page[Any] = Paginator(rows, PER_PAGE).get_page(number)
    found = list(page)
    people = {row.person_id for row in found if row.person_id}
    names, done = invited_names(study.project, people), finished_by(study.project, people)
    page.object_list = [_submission_row(row, names, done) for row in found]
    return page


def _submission_row(row: Submission, names: dict[int, str], done: dict[int, int]) -> SubmissionRow:
    person = row.person
    return SubmissionRow(
        row=row,
        name="" if person is None else names.get(person.pk, "") or person.username,
        code="" if person is None else person.worker_code,
        status=status_in_words(row.status),
        badge=BADGES.get(row.status, ""),
        finished=done.get(row.person_id or 0, 0),
        is_approvable=row.status == Submission.AWAITING,
        code_fits=not row.code or row.code in row.study.codes,
    )


def finished_by(project: Project, people: Iterable[int]) -> dict[int, int]:
    """How many pieces of work each of these people has finished, as far as they bring data."""
    rows = Assignment.objects.filter(
        task__queue__project=project, annotator__in=list(people), state=AssignmentState.SUBMITTED
    )
    counted = rows.exclude(task__queue__activity__in=NO_DATA).order_by().values_list("annotator")
    return dict(counted.annotate(n=Count("pk")))


def all_finished(study: Study) -> list[int]:
    """The keys of the submissions that await review of people who have finished what the project asks of them."""
    asked = projects.project_config(study.project).recruiting.completion_after
    rows: QuerySet[Submission] = connecting.approvable(study).exclude(person=None)
    done = finished_by(study.project, rows.values_list("person", flat=True))
    return [row.pk for row in rows if done.get(row.person_id or 0, 0) >= asked]


def bonus_rows(project: Project) -> list[BonusRow]:
    """The latest bonuses of the project, also of studies that it has left."""
    rows = Bonus.objects.filter(study__project=project).select_related("study", "by").prefetch_related("parts__person")
    return [_bonus_row(row) for row in rows.order_by("-pk")[:LATEST_BONUSES]]


def _bonus_row(row: Bonus) -> BonusRow:
    currency, parts = row.study.currency, list(row.parts.all())
    return BonusRow(
        row=row,
        badge=BONUS_BADGES.get(Bonus.State(row.state), ""),
        amount=amount_in_words(sum(part.cents for part in parts), currency),
        charged="" if row.charged is None else amount_in_words(int(row.charged.to_integral_value()), currency),
        parts=[(part.person.username, amount_in_words(part.cents, currency), part.found) for part in parts],
        may_take_back=row.state in {Bonus.State.CONFIRMED, Bonus.State.SET_UP},
    )


def of_study(study: Study, address: str, *, number: str) -> dict[str, Any]:
    """What the page of a connected study shows besides; `address`: that of the project for everybody."""
    free = Qualification.objects.filter(project=study.project).exclude(pk__in=study.groups.values("qualification"))
    return {
        "fits": fits(study, address),
        "other_codes": other_codes(study),
        "counts": counts(study),
        "submissions": submissions_page(study, number),
        "finished": len(all_finished(study)),
        "reward": amount_in_words(study.reward, study.currency),
        "groups": study.groups.select_related("qualification").order_by("qualification__title", "pk"),
        "qualifications": free.order_by("title", "pk"),
    }


@dataclass(frozen=True)
class BonusShareRow:
    """A person's row, with amounts in words."""

    share: BonusShare
    name: str
    code: str
    status: str
    badge: str
    owed: str
    reward: str
    bonus: str


def preview_of(study: Study, *, until: date) -> dict[str, Any]:
    """What the page shows, and what its form sends of it."""
    found = bonuses.shares(study, until=until)
    names = invited_names(study.project, [share.person for share in [*found.due, *found.covered]])
    return {
        "until": until,
        "shares": found,
        "rows": list(_rows(study, found.due, names)),
        "covered": list(_rows(study, found.covered, names)),
        "total": amount_in_words(found.cents, study.currency),
        "other_currency": found.currency if found.currency != study.currency else "",
        "seen": bonuses.seen_by(found),
    }


def _rows(study: Study, shares: Iterable[BonusShare], names: dict[int, str]) -> Iterable[BonusShareRow]:
    for share in shares:
        person, status = share.submission.person, share.submission.status
        assert person is not None  # shares are of people
        yield BonusShareRow(
            share=share,
            name=names.get(share.person, "") or person.username,
            code=person.worker_code,
            status=status_in_words(status),
            badge=BADGES.get(status, ""),
            owed=amount_in_words(share.owed, study.currency),
            reward=amount_in_words(share.reward, study.currency),
            bonus=amount_in_words(share.cents, study.currency),
        )


LATEST = 50
"""Lines of a history, at most."""
EVENTS: dict[str, Any] = {
    "study.connected": gettext_lazy("Connected to study %(study)s"),
    "study.disconnected": gettext_lazy("Disconnected from study %(study)s"),
    "study.approving": gettext_lazy("Submissions sent to be approved: %(n)s"),
    "study.approved": gettext_lazy("Prolific took the approvals: %(n)s"),
    "bonus.confirmed": gettext_lazy("Bonuses confirmed: %(amount)s to %(people)s"),
    "bonus.set_up": gettext_lazy("Bonuses set up on Prolific"),
    "bonus.paying": gettext_lazy("Prolific told to pay them"),
    "bonus.paid": gettext_lazy("Bonuses paid"),
    "bonus.refused": gettext_lazy("Bonuses refused by Prolific, and owed again"),
    "bonus.unclear": gettext_lazy("No answer, and not all bonuses found: a lead has to look"),
    "bonus.not_paid": gettext_lazy("Bonuses not paid, and owed again"),
    "bonus.waits": gettext_lazy("To be tried again"),
    "studygroup.added": gettext_lazy("Group “%(name)s” holds who has “%(qualification)s”"),
    "studygroup.filled": gettext_lazy("Group “%(name)s” filled: %(people)s"),
    "studygroup.dropped": gettext_lazy("Group “%(name)s” is filled no more"),
    "studygroup.failed": gettext_lazy("Group “%(name)s” could not be filled"),
}


def history_of(project: Project) -> list[EventLine]:
    """The latest that happened, newest first; `why`: what Prolific said, or ""."""
    rows = Event.objects.filter(project_id=project.pk, kind__in=EVENTS).order_by("-pk")[:LATEST]
    return event_lines(rows, what=event_in_words, why=lambda row: str(row.data.get("problem", "")))


def event_in_words(event: Event) -> str:
    """What happened."""
    data = dict(event.data)
    if "n" in data:
        data["people"] = ngettext("%(n)s person", "%(n)s people", data["n"]) % {"n": data["n"]}
    if "cents" in data:
        data["amount"] = amount_in_words(data["cents"], data["currency"])
    said = _(EVENTS[event.kind]) % data
    if data.get("found"):
        said += " · " + _("found on the submissions")
    if data.get("decided"):
        said += " · " + _("as a lead has seen on Prolific")
    return said


def amount_in_words(cents: int, currency: str) -> str:
    """`4.00 GBP`."""
    return f"{Decimal(cents) / 100:.2f} {currency}"
