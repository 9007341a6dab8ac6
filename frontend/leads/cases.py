"""What waits for a lead's decision: flagged answers, finished work that counts only if it is accepted, and people who
left partners without a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import events, registry
from annotation.documents.layout import PLAIN_TEXT
from annotation.engine import loading
from annotation.models import Case, CaseKind, CaseState, Event, Item, Project
from frontend.leads.case_details import CaseDetails
from frontend.leads.event_lines import EventLine, lines_by_subject
from frontend.leads.items.exam_decisions import Decision
from frontend.leads.items.overview import prompt_of
from frontend.wording import noun_of_item

SHOWN = 20
HISTORY = {
    (CaseKind.FLAG, CaseState.UPHELD): gettext_lazy("Upheld"),
    (CaseKind.FLAG, CaseState.DISMISSED): gettext_lazy("Dismissed"),
    (CaseKind.ACCEPTANCE, CaseState.UPHELD): gettext_lazy("Accepted"),
    (CaseKind.ACCEPTANCE, CaseState.DISMISSED): gettext_lazy("Not accepted"),
    (CaseKind.LEAVES, CaseState.UPHELD): gettext_lazy("Upheld"),
    (CaseKind.LEAVES, CaseState.DISMISSED): gettext_lazy("Dismissed"),
}

WORDS: dict[tuple[str, str], tuple[Any, Any, Any]] = {
    (CaseKind.FLAG, CaseState.UPHELD): (
        gettext_lazy("Uphold…"), gettext_lazy("Uphold this flag?"), gettext_lazy("Uphold"),
    ),
    (CaseKind.FLAG, CaseState.DISMISSED): (
        gettext_lazy("Dismiss…"), gettext_lazy("Dismiss this flag?"), gettext_lazy("Dismiss"),
    ),
    (CaseKind.ACCEPTANCE, CaseState.UPHELD): (
        gettext_lazy("Accept…"), gettext_lazy("Accept this, although it is short?"), gettext_lazy("Accept"),
    ),
    (CaseKind.ACCEPTANCE, CaseState.DISMISSED): (
        gettext_lazy("Don’t accept…"), gettext_lazy("Don’t accept this?"), gettext_lazy("Don’t accept"),
    ),
    (CaseKind.LEAVES, CaseState.UPHELD): (
        gettext_lazy("Uphold…"), gettext_lazy("Did this person leave without good reason?"), gettext_lazy("Uphold"),
    ),
    (CaseKind.LEAVES, CaseState.DISMISSED): (
        gettext_lazy("Dismiss…"), gettext_lazy("Dismiss this case?"), gettext_lazy("Dismiss"),
    ),
}  # fmt: skip
"""The button of each decision, the title of its dialog, and the button that confirms it."""
AGAIN = (gettext_lazy("Take back…"), gettext_lazy("Take this decision back?"), gettext_lazy("Take back"))
"""The same of what brings a case back."""
OF_NO_ANSWER = {
    CaseKind.ACCEPTANCE: gettext_lazy("It ended early: does it count?"),
    CaseKind.LEAVES: gettext_lazy("Left partners without a reason"),
}
"""Titles of cases that are not about an answer."""


@dataclass(frozen=True)
class CaseToDecide:
    """A case as a lead reads it. `answers`: what was said in the flagged turn, or last, with its read-only templates.

    `who` flagged and `whose` answer it is, or who left: worker codes ("" if nobody); `returned`: the flagged person had
    flagged something first. `left`: their leaves in the 24 hours before the case, and since while it is open.
    """

    row: Case
    prompt: str
    title: str
    verdict: str
    who: str
    whose: str
    returned: bool
    answers: list[dict[str, Any]]
    left: list[dict[str, Any]]
    decisions: list[Decision]
    history: list[EventLine]


def open_cases(project: Project) -> list[CaseToDecide]:
    """The oldest open cases of a project: those that ended work first."""
    return _cases_to_decide(of_project(project).order_by("-ends", "pk")[:SHOWN])


def of_project(project: Project) -> QuerySet[Case]:
    """Every open case of a project."""
    # The few open ones first: SQLite would look for them among all annotations of the project.
    open_ones = list(Case.objects.filter(state=CaseState.OPEN).values_list("pk", flat=True))
    return Case.objects.filter(pk__in=open_ones, annotation__item__project=project)


def cases_on(item: Item) -> list[CaseToDecide]:
    """Every case about an item: the open ones first, then the latest."""
    rows = _cases_to_decide(Case.objects.filter(annotation__item=item).order_by("-pk"))
    return sorted(rows, key=lambda case: case.row.state != CaseState.OPEN)


def passages(item: Item) -> list[str]:
    """The plain texts of an item, or of its root."""
    record = loading.item_record(item.root or item)
    return [document.text for document in record.documents if document.media_type == PLAIN_TEXT]


def _cases_to_decide(rows: QuerySet[Case]) -> list[CaseToDecide]:
    related = ("annotation__item__project", "annotation__item__root", "author", "about", "response__author")
    found = list(rows.select_related(*related))
    history, details = _history(found), CaseDetails(found)
    return [_case(case, details, history.get(events.name(case), [])) for case in found]


def _case(case: Case, details: CaseDetails, history: list[EventLine]) -> CaseToDecide:
    item, response = case.annotation.item, case.response
    activity = registry.get(item.project.protocol).activity(case.annotation.activity)
    reasons = dict(activity.stage(response.stage).flags) if response else {}
    whose = response.author if response else case.about
    verdict = HISTORY.get((CaseKind(case.kind), CaseState(case.state)))
    return CaseToDecide(
        row=case,
        prompt=case.about.worker_code if case.about else prompt_of(item),
        title=_(reasons.get(case.reason, case.reason)) if response else str(OF_NO_ANSWER[CaseKind(case.kind)]),
        verdict=str(verdict or ""),
        who=case.author.worker_code if case.author else "",
        whose=whose.worker_code if whose else "",
        returned=details.answers_another(case),
        answers=[] if case.about else details.answers_of(case),
        left=details.left(case),
        decisions=_decisions(case, frozen=details.is_frozen(case)),
        history=history,
    )


def _decisions(case: Case, *, frozen: bool) -> list[Decision]:
    """What can be decided; `frozen`: whether there are releases that it leaves as they are."""
    more = [_("Frozen releases stay as they are.")] if frozen else []
    if case.state != CaseState.OPEN:
        return [_decision(case, CaseState.OPEN, AGAIN, [*_said_of_taking_back(case), *more])]
    return [
        _decision(case, to, WORDS[case.kind, to], [*_consequences(case, to), *more])
        for to in (CaseState.UPHELD, CaseState.DISMISSED)
    ]


def _decision(case: Case, to: CaseState, words: Sequence[Any], consequences: list[str]) -> Decision:
    item = case.annotation.item
    url = reverse("decide_case", args=[item.project.slug, item.pk, case.pk, to.value])
    label, title, confirm = map(str, words)
    return Decision(f"{to}-{case.pk}", url, label, title, tuple(consequences), confirm)


def _consequences(case: Case, to: CaseState) -> list[str]:
    if case.kind == CaseKind.LEAVES:
        return [
            _("It is kept in the history; what was said in the work stays as it is."),
            _("They are not told, and nothing follows by itself. Write to them, if you want to change something."),
        ]
    if case.kind == CaseKind.ACCEPTANCE:
        if to == CaseState.UPHELD:
            return [_("It counts like all others: releases contain it, and the work that follows from it begins.")]
        return [_("It stays in the record, but in no release, and no work follows from it.")]
    untold = _("Neither of the two people is told.")
    if case.ends:
        unfinished = _("What was said stays in the record. It was not finished, so no release contains it.")
        free = _("Others are given the %(item)s again.") % {"item": noun_of_item(case.annotation.item).one}
        return [unfinished, free, untold]
    if to == CaseState.UPHELD:
        return [_("Releases from now on mark what was said as bad; it stays in them."), untold]
    return [_("Releases do not mark what was said."), untold]


def _said_of_taking_back(case: Case) -> list[str]:
    said = [_("It waits for a decision again, as if there had been none.")]
    if case.ends:
        words = {"item": noun_of_item(case.annotation.item).one}
        said.append(_("Nobody is given the %(item)s until then.") % words)
    if case.kind == CaseKind.ACCEPTANCE and case.state == CaseState.UPHELD:
        said.append(_("Nobody else is given the work that follows from it; what was done stays."))
    return said


def _history(cases: Sequence[Case]) -> dict[str, list[EventLine]]:
    """By subject, the decisions, oldest first: what, by whom, when and why."""
    kinds = {f"case.{state}" for state in CaseState}
    by_name = {events.name(case): case for case in cases}
    rows = Event.objects.filter(subject__in=by_name, kind__in=kinds).order_by("pk")

    def what(row: Event) -> Any:
        decided = CaseKind(by_name[row.subject].kind), CaseState(row.kind.partition(".")[2])
        return HISTORY.get(decided, _("Taken back"))

    return lines_by_subject(rows, what=what)
