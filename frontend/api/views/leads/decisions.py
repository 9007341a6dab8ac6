"""A lead's decisions, each with a reason: about items and the work on them, and about cases that wait for one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import QuerySet

from annotation import clock
from annotation.engine import exclusion
from annotation.models import Annotation, Case, CaseState, Item, Project, User
from frontend import access
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.paging import CursorPage
from frontend.api.serializers.items import AnnotationSerializer
from frontend.api.serializers.leads import decisions as told
from frontend.leads import cases
from frontend.leads.items import bulk_decisions
from frontend.leads.items.bulk_decisions import ItemOutcome
from tasks import corrections
from tasks.corrections import more_annotations
from tasks.items import reports

RELATED_TO_CASES = ("annotation", "author", "about", "response__author")


class ItemDecisionView(LeadView):
    """A decision about an item, or about all finished work on it."""

    @change_call("decide_item", told.ItemOutcomeSerializer, finder=access.led_item, body=told.ItemDecisionSerializer)
    def post(self, item: Item, sent: dict[str, Any]) -> ItemOutcome:
        """Decide about an item; what can’t be done is told with the reason, and changes nothing."""
        return _decide_item(item, sent, by=self.person(), now=clock.now())


class AnnotationDecisionView(LeadView):
    """A decision about one annotation."""

    shows_answers = True

    @change_call(
        "decide_annotation",
        AnnotationSerializer,
        finder=access.led_annotation,
        body=told.AnnotationDecisionSerializer,
    )
    def post(self, row: Annotation, sent: dict[str, Any]) -> Annotation:
        """Exclude an annotation, include it again, have it replaced, or send it back to its author."""
        _ACTIONS[sent["action"]](row)(by=self.person(), reason=sent["reason"], now=clock.now())
        row.refresh_from_db()
        return row


_ACTIONS: dict[str, Callable[[Annotation], Callable[..., Any]]] = {
    "exclude": lambda row: partial(exclusion.exclude, row.item.project, uuids=[row.uuid]),
    "restore": lambda row: partial(exclusion.restore, row.item.project, uuids=[row.uuid]),
    "replace": lambda row: partial(more_annotations.replace, row),
    "reopen": lambda row: partial(corrections.reopen, row.item.project, row.uuid),
    "take_back_reopening": lambda row: partial(corrections.take_back_reopening, row.item.project, row.uuid),
}


def _decide_item(item: Item, sent: dict[str, Any], *, by: User, now: datetime) -> ItemOutcome:
    if sent["action"] == "bring_back":
        reports.bring_back(item, by=by, reason=sent["reason"], now=now)
        return ItemOutcome(1)
    if sent["action"] == "unfreeze":
        reports.unfreeze(item, by=by, now=now)
        return ItemOutcome(1)
    form = {name: str(value) for name, value in sent.items()}
    return bulk_decisions.decide_item(item, bulk_decisions.decision_of(form), by=by, now=now)


class CasesView(LeadView):
    """The cases of a project."""

    shows_answers = True

    @read_call("list_cases", told.CasePageSerializer, query=told.CaseQuerySerializer)
    def get(self, project: Project, asked: dict[str, Any]) -> Any:
        """List the open cases, the oldest first, or those that were decided."""
        return CursorPage(self.request, _cases(project, **asked).select_related(*RELATED_TO_CASES)).answer()


class CaseView(LeadView):
    """A case about an item."""

    shows_answers = True

    @read_call("read_case", told.CaseSerializer, finder=access.led_case)
    def get(self, row: Case) -> Any:
        """Read a case."""
        return row


class CaseDecisionView(LeadView):
    """A lead’s decision about a case. Frozen releases stay as they are."""

    shows_answers = True

    @change_call("decide_case", told.CaseSerializer, finder=access.led_case, body=told.CaseDecisionSerializer)
    def post(self, row: Case, sent: dict[str, Any]) -> Any:
        """Decide about a case, or take that back; nothing happens if somebody else was first."""
        reports.decide(row, CaseState(sent["to"]), by=self.person(), reason=sent["reason"], now=clock.now())
        return row


def _cases(project: Project, *, state: str, kind: str = "") -> QuerySet[Case]:
    found = cases.of_project(project)
    if state != CaseState.OPEN:
        found = Case.objects.filter(annotation__item__project=project, state=state)
    return found.filter(kind=kind) if kind else found
