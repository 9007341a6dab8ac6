"""Figures of a project: agreement, the human bound, those of its protocol, and its board."""

from __future__ import annotations

from typing import Any

from annotation import clock
from annotation.models import Project
from frontend.access.projects import or_not_found
from frontend.api.base import LeadView
from frontend.api.calls import read_call
from frontend.api.serializers.leads import figures as told
from frontend.leads import figures, human_bound
from frontend.leads.agreement.asked import AgreementQuery
from frontend.leads.agreement.shown import agreement_page
from frontend.leads.board.asked import BoardQuery
from frontend.leads.board.page import board_of


class AgreementView(LeadView):
    """How far people agree in an activity, or in the part of it that is asked for: the numbers of the page."""

    @read_call("read_agreement", told.MeasuredAgreementSerializer, query=told.AgreementQuerySerializer)
    def get(self, project: Project, asked: dict[str, Any]) -> Any:
        """Read agreement as it was measured last."""
        return {"agreement": agreement_page(project, AgreementQuery(**asked))}


class HumanBoundView(LeadView):
    """How well people do on the official metrics of the protocol, beside the published figures."""

    @read_call("read_human_bound", told.BoundFiguresSerializer)
    def get(self, project: Project) -> Any:
        """Read every figure of every split, as it was measured last."""
        or_not_found(human_bound.exists(project) or None)
        return {"results": list(_bound_rows(project))}


class FiguresView(LeadView):
    """The project’s figures beside those that were published of its protocol."""

    @read_call("read_figures", told.FiguresSerializer)
    def get(self, project: Project) -> Any:
        """Read the figures as they were measured last."""
        return or_not_found(figures.compared(project))


class BoardView(LeadView):
    """The board of a project, or of a part of it: how it stands, what its pictures show, and who did what."""

    @read_call("read_board", told.BoardSerializer, query=told.BoardQuerySerializer)
    def get(self, project: Project, asked: dict[str, Any]) -> Any:
        """Read the board."""
        return board_of(project, BoardQuery(**asked), now=clock.now())


def _bound_rows(project: Project) -> Any:
    """The rows of the CSV by their columns, with the counts together."""
    head, *rows = human_bound.table(project) or [[]]
    first, last = 5, len(head) - len(human_bound.AFTER_COUNTS)
    for row in rows:
        split, figure, value, low, high = row[:first]
        ends = dict(zip(human_bound.AFTER_COUNTS, row[last:], strict=True))
        counts = dict(zip(head[first:last], row[first:last], strict=True))
        yield {"split": split, "figure": figure, "value": value, "low": low, "high": high, "counts": counts} | ends
