"""What waits for a lead's decision: flagged answers, finished work that counts only if it is accepted, and people who
left partners without a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import events, registry
from annotation.documents.layout import PLAIN_TEXT
from annotation.engine import loading
from annotation.models import Case, CaseKind, CaseState, Event, Item, Project, User
from frontend.leads.case_details import CaseDetails
from frontend.leads.items.decisions import Decision
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

    id: int
    item: int
    prompt: str
    title: str
    state: str
    verdict: str
    who: str
    whose: str
    text: str
    ends: bool
    returned: bool
    at: datetime
    answers: list[dict[str, Any]]
    left: list[dict[str, Any]]
    decisions: list[Decision]
    history: list[dict[str, Any]]


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
    return sorted(rows, key=lambda case: case.state != CaseState.OPEN)


def passages(item: Item) -> list[str]:
    """The plain texts of an item, or of its root."""
    record = loading.item_record(item.root or item)
    return [document.text for document in record.documents if document.media_type == PLAIN_TEXT]


def _cases_to_decide(rows: QuerySet[Case]) -> list[CaseToDecide]:
    related = ("annotation__item__project", "annotation__item__root", "author", "about", "response__author")
    found = list(rows.select_related(*related))
    history, details = _history(found), CaseDetails(found)
    return [_case(case, details, history.get(events.name(case), [])) for case in found]


def _case(case: Case, details: CaseDetails, history: list[dict[str, Any]]) -> CaseToDecide:
    item, response = case.annotation.item, case.response
    activity = registry.get(item.project.protocol).activity(case.annotation.activity)
    reasons = dict(activity.stage(response.stage).flags) if response else {}
    whose = response.author if response else case.about
    verdict = HISTORY.get((CaseKind(case.kind), CaseState(case.state)))
    return CaseToDecide(
        id=case.pk,
        item=item.pk,
        prompt=case.about.worker_code if case.about else prompt_of(item),
        title=_(reasons.get(case.reason, case.reason)) if response else str(OF_NO_ANSWER[CaseKind(case.kind)]),
        state=case.state,
        verdict=str(verdict or ""),
        who=case.author.worker_code if case.author else "",
        whose=whose.worker_code if whose else "",
        text=case.text,
        ends=case.ends,
        returned=details.answers_another(case),
        at=case.at,
        answers=[] if case.about else details.answers_of(case),
        left=details.left(case),
        decisions=_decisions(case, frozen=details.is_frozen(case)),
        history=history,
    )


def _decisions(case: Case, *, frozen: bool) -> list[Decision]:
    """What can be decided; `frozen`: whether there are releases that it leaves as they are."""
    of_kind = {CaseKind.FLAG: _of_flag, CaseKind.ACCEPTANCE: _of_acceptance, CaseKind.LEAVES: _of_leaves}
    found = of_kind[CaseKind(case.kind)](case) if case.state == CaseState.OPEN else [_again(case)]
    more = (_("Frozen releases stay as they are."),) if frozen else ()
    return [replace(one, consequences=(*one.consequences, *more)) for one in found]


def _decision(case: Case, to: CaseState, **words: Any) -> Decision:
    item = case.annotation.item
    said = words.pop("consequences")
    url = reverse("decide_case", args=[item.project.slug, item.pk, case.pk, to.value])
    return Decision(id=f"{to}-{case.pk}", url=url, consequences=tuple(said), **words)


def _of_flag(case: Case) -> list[Decision]:
    words = {"item": noun_of_item(case.annotation.item).one}
    free = [_("Others are given the %(item)s again.") % words] if case.ends else []
    marked = _("Releases from now on mark what was said as bad; it stays in them.")
    unfinished = _("What was said stays in the record. It was not finished, so no release contains it.")
    untold = _("Neither of the two people is told.")
    uphold = _decision(
        case,
        CaseState.UPHELD,
        label=_("Uphold…"),
        title=_("Uphold this flag?"),
        consequences=[unfinished if case.ends else marked, *free, untold],
        confirm=_("Uphold"),
    )
    dismiss = _decision(
        case,
        CaseState.DISMISSED,
        label=_("Dismiss…"),
        title=_("Dismiss this flag?"),
        consequences=[unfinished if case.ends else _("Releases do not mark what was said."), *free, untold],
        confirm=_("Dismiss"),
    )
    return [uphold, dismiss]


def _of_acceptance(case: Case) -> list[Decision]:
    accept = _decision(
        case,
        CaseState.UPHELD,
        label=_("Accept…"),
        title=_("Accept this, although it is short?"),
        consequences=[_("It counts like all others: releases contain it, and the work that follows from it begins.")],
        confirm=_("Accept"),
    )
    refuse = _decision(
        case,
        CaseState.DISMISSED,
        label=_("Don’t accept…"),
        title=_("Don’t accept this?"),
        consequences=[_("It stays in the record, but in no release, and no work follows from it.")],
        confirm=_("Don’t accept"),
    )
    return [accept, refuse]


def _of_leaves(case: Case) -> list[Decision]:
    kept = _("It is kept in the history; what was said in the work stays as it is.")
    free = _("They are not told, and nothing follows by itself. Write to them, if you want to change something.")
    uphold = _decision(
        case,
        CaseState.UPHELD,
        label=_("Uphold…"),
        title=_("Did this person leave without good reason?"),
        consequences=[kept, free],
        confirm=_("Uphold"),
    )
    dismiss = _decision(
        case,
        CaseState.DISMISSED,
        label=_("Dismiss…"),
        title=_("Dismiss this case?"),
        consequences=[kept, free],
        confirm=_("Dismiss"),
    )
    return [uphold, dismiss]


def _again(case: Case) -> Decision:
    said = [_("It waits for a decision again, as if there had been none.")]
    words = {"item": noun_of_item(case.annotation.item).one}
    if case.ends:
        said.append(_("Nobody is given the %(item)s until then.") % words)
    if case.kind == CaseKind.ACCEPTANCE and case.state == CaseState.UPHELD:
        said.append(_("Nobody else is given the work that follows from it; what was done stays."))
    return _decision(
        case,
        CaseState.OPEN,
        label=_("Take back…"),
        title=_("Take this decision back?"),
        consequences=said,
        confirm=_("Take back"),
    )


def _history(cases: Sequence[Case]) -> dict[str, list[dict[str, Any]]]:
    """By subject, the decisions, oldest first: what, by whom, when and why."""
    kinds = {f"case.{state}" for state in CaseState}
    by_name = {events.name(case): case for case in cases}
    rows = list(Event.objects.filter(subject__in=by_name, kind__in=kinds).order_by("pk"))
    names: dict[int | None, str] = dict(
        User.objects.filter(pk__in={row.by for row in rows}).values_list("pk", "username")
    )
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        decided = CaseKind(by_name[row.subject].kind), CaseState(row.kind.partition(".")[2])
        line = {"what": HISTORY.get(decided, _("Taken back")), "by": names.get(row.by, ""), "at": row.at}
        found.setdefault(row.subject, []).append(line | {"why": row.data["reason"]})
    return found
