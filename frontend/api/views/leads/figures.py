"""Figures of a project: agreement, the human bound, those of its protocol, and its board."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.errors import NotFound
from annotation.models import Project
from frontend import access
from frontend.api.base import LeadView
from frontend.api.sent import checked_fields
from frontend.api.serializers.leads import figures as told
from frontend.leads import figures, human_bound
from frontend.leads.agreement.shown import agreement_page
from frontend.leads.board.page import board_of


class AgreementView(LeadView):
    """How far people agree in an activity, or in the part of it that is asked for: the numbers of the page."""

    @extend_schema(
        operation_id="read_agreement",
        parameters=[told.AgreementQuerySerializer],
        responses=told.MeasuredAgreementSerializer,
    )
    def get(self, request: Request, slug: str) -> Answer:
        """Read agreement as it was measured last."""
        project = access.led_project(self.person(), slug)
        asked = checked_fields(told.AgreementQuerySerializer(data=request.query_params.dict()))
        found = agreement_page(project, asked.query())
        return Answer(told.MeasuredAgreementSerializer({"agreement": found}).data)


class HumanBoundView(LeadView):
    """How well people do on the official metrics of the protocol, beside the published figures."""

    @extend_schema(operation_id="read_human_bound", responses=told.BoundFiguresSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """Read every figure of every split, as it was measured last."""
        project = access.led_project(self.person(), slug)
        if not human_bound.exists(project):
            raise NotFound
        return Answer(told.BoundFiguresSerializer({"results": list(_bound_rows(project))}).data)


class FiguresView(LeadView):
    """The project’s figures beside those that were published of its protocol."""

    @extend_schema(operation_id="read_figures", responses=told.FiguresSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """Read the figures as they were measured last."""
        found = figures.compared(access.led_project(self.person(), slug))
        if found is None:
            raise NotFound
        return Answer(told.FiguresSerializer(found).data)


class BoardView(LeadView):
    """The board of a project, or of a part of it: how it stands, what its pictures show, and who did what."""

    @extend_schema(operation_id="read_board", parameters=[told.BoardQuerySerializer], responses=told.BoardSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """Read the board."""
        project = access.led_project(self.person(), slug)
        asked = checked_fields(told.BoardQuerySerializer(data=request.query_params.dict()))
        return Answer(told.BoardSerializer(board_of(project, asked.query(), now=clock.now())).data)


def _bound_rows(project: Project) -> Any:
    """The rows of the CSV by their columns, with the counts together."""
    head, *rows = human_bound.table(project) or [[]]
    first, last = 5, len(head) - len(human_bound.AFTER_COUNTS)
    for row in rows:
        split, figure, value, low, high = row[:first]
        ends = dict(zip(human_bound.AFTER_COUNTS, row[last:], strict=True))
        counts = dict(zip(head[first:last], row[first:last], strict=True))
        yield {"split": split, "figure": figure, "value": value, "low": low, "high": high, "counts": counts} | ends
