"""The page of a project's study: whether the two fit, who takes part, and what became of bonuses and groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import projects
from annotation.models import Project
from annotation.outgoing import addresses, hosts
from frontend.leads.invited import invited_names
from frontend.leads.prolific.history import amount_in_words
from qualification.models import Qualification
from tasks.models import NO_DATA, Assignment, Bonus, Study, StudyGroup, Submission
from tasks.models.states import AssignmentState
from tasks.prolific import api, connecting

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
    n: int
    parts: list[tuple[str, str, bool]]
    may_take_back: bool


def blocked_host() -> str:
    """The host that an admin has to allow first; "" if that is done."""
    host = addresses.target_of(f"{api.base()}/").allowed_as
    return "" if hosts.is_allowed(host) else host


def fits(study: Study, address: str) -> list[StudyFit]:
    """What has to be alike; `address`: that of the project, without placeholders."""
    recruiting = projects.project_config(study.project).recruiting
    leads_here = study.address.partition("?")[0].rstrip("/") == address.rstrip("/")
    return [
        _sign_up_fit(recruiting.open),
        _address_fit(leads_here and "{{%PROLIFIC_PID%}}" in study.address),
        _parameter_fit(recruiting.parameters[:1] == ("PROLIFIC_PID",)),
        _code_fit(study, recruiting.completion_code),
    ]


def _sign_up_fit(is_so: bool) -> StudyFit:
    return StudyFit(is_so, _("Open sign-up is on.") if is_so else _("Turn on open sign-up on People."))


def _address_fit(is_so: bool) -> StudyFit:
    good = _("The study leads to this project, with the participant’s id.")
    return StudyFit(is_so, good if is_so else _("Give the study the address from People, placeholders included."))


def _parameter_fit(is_so: bool) -> StudyFit:
    good = _("PROLIFIC_PID names people.")
    return StudyFit(is_so, good if is_so else _("Put PROLIFIC_PID first among the parameters of the address."))


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
    return [(status_in_words(status), n) for status, n in sorted(rows, key=lambda row: list_place(row[0]))]


def list_place(status: str) -> tuple[int, str]:
    """Where a state comes in lists."""
    known = list(STATUSES)
    return (known.index(status) if status in known else len(known)), status


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
        n=len(parts),
        parts=[(part.person.username, amount_in_words(part.cents, currency), part.found) for part in parts],
        may_take_back=row.state in {Bonus.State.CONFIRMED, Bonus.State.SET_UP},
    )


def groups_of(study: Study) -> QuerySet[StudyGroup]:
    """The groups that are filled, with their qualifications."""
    return study.groups.select_related("qualification").order_by("qualification__title", "pk")


def free_qualifications(study: Study) -> QuerySet[Qualification]:
    """The qualifications that no group holds yet."""
    rows = Qualification.objects.filter(project=study.project).exclude(pk__in=study.groups.values("qualification"))
    return rows.order_by("title", "pk")


def join_address(request_root: str, project: Project) -> str:
    """The project's address for everybody, without what sites append."""
    return request_root + reverse("join_open", args=[project.slug])


def of_study(study: Study, address: str, *, number: str) -> dict[str, Any]:
    """What the page of a connected study shows besides; `address`: that of the project for everybody."""
    return {
        "fits": fits(study, address),
        "other_codes": other_codes(study),
        "counts": counts(study),
        "submissions": submissions_page(study, number),
        "finished": len(all_finished(study)),
        "reward": amount_in_words(study.reward, study.currency),
        "groups": groups_of(study),
        "qualifications": free_qualifications(study),
    }
