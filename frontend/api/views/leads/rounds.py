"""Judging rounds of a project, and their results."""

from __future__ import annotations

import uuid as uuids
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.errors import NotFound
from annotation.models import JudgingRound
from frontend import access
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.serializers.leads import rounds as told
from frontend.leads.judging import pages, results
from frontend.leads.judging.result_files import ResultFiles


class RoundsView(LeadView):
    """The judging rounds of a project."""

    @extend_schema(operation_id="list_rounds", parameters=PAGED, responses=told.RoundPageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the rounds, the oldest first."""
        rows = JudgingRound.objects.filter(project=access.led_project(self.person(), slug))
        page = CursorPage(request, rows)
        return Answer(page.answer([told.RoundSerializer(_counted(row)).data for row in page.rows]))


class RoundView(LeadView):
    """One of these rounds."""

    @extend_schema(operation_id="read_round", responses=told.WholeRoundSerializer)
    def get(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Read what is judged, and how far it is."""
        return Answer(told.WholeRoundSerializer(_counted(access.led_round(self.person(), slug, uuid))).data)


class RoundResultsView(LeadView):
    """The results of a round. A lead who judges in it finds none until their own marks are locked."""

    shows_answers = True

    @extend_schema(operation_id="read_round_results", responses=told.RoundResultsSerializer)
    def get(self, request: Request, slug: str, uuid: uuids.UUID) -> Answer:
        """Read the results that were measured last."""
        found = results.of_page(access.led_results(self.person(), slug, uuid))
        if found is None:
            raise NotFound
        return Answer(told.RoundResultsSerializer({"results": ResultFiles(found).as_json()}).data)


def _counted(row: JudgingRound) -> dict[str, Any]:
    columns = {field.name: getattr(row, field.name) for field in row._meta.concrete_fields}
    return columns | pages.counts_of(row)
