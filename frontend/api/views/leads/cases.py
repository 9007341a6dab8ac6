"""Cases that wait for a lead's decision, and those that were decided."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import Case, CaseState, Project
from frontend import access
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body, checked_query
from frontend.api.serializers.leads import decisions as told
from frontend.leads import cases
from tasks.items import reports

RELATED = ("annotation", "author", "about", "response__author")


class CasesView(LeadView):
    """The cases of a project."""

    shows_answers = True

    @extend_schema(
        operation_id="list_cases", parameters=[told.CaseQuerySerializer, *PAGED], responses=told.CasePageSerializer
    )
    def get(self, request: Request, slug: str) -> Answer:
        """List the open cases, the oldest first, or those that were decided."""
        project = access.led_project(self.person(), slug)
        asked = checked_query(request, told.CaseQuerySerializer)
        page = CursorPage(request, _cases(project, **asked).select_related(*RELATED))
        return Answer(page.answer(told.CaseSerializer(page.rows, many=True).data))


class CaseView(LeadView):
    """A case about an item."""

    shows_answers = True

    @extend_schema(operation_id="read_case", responses=told.CaseSerializer)
    def get(self, request: Request, slug: str, item_id: int, case: int) -> Answer:
        """Read a case."""
        return Answer(told.CaseSerializer(access.led_case(self.person(), slug, item_id, case)).data)


class CaseDecisionView(LeadView):
    """A lead’s decision about a case. Frozen releases stay as they are."""

    shows_answers = True

    @extend_schema(operation_id="decide_case", request=told.CaseDecisionSerializer, responses=told.CaseSerializer)
    def post(self, request: Request, slug: str, item_id: int, case: int) -> Answer:
        """Decide about a case, or take that back; nothing happens if somebody else was first."""
        row = access.led_case(self.person(), slug, item_id, case)
        sent = checked_body(request, told.CaseDecisionSerializer)

        def decide() -> Answer:
            to, reason = CaseState(sent["to"]), sent["reason"]
            reports.decide(row, to, by=self.person(), reason=reason, now=clock.now())
            return Answer(told.CaseSerializer(row).data)

        return self.once(decide)


def _cases(project: Project, *, state: str, kind: str = "") -> QuerySet[Case]:
    found = cases.of_project(project)
    if state != CaseState.OPEN:
        found = Case.objects.filter(annotation__item__project=project, state=state)
    return found.filter(kind=kind) if kind else found
