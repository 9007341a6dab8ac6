"""What somebody holds, and how they get the next piece of work."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import Project
from frontend.api.calls import change_call, read_call
from frontend.api.serializers import work as shapes
from frontend.api.views.work.base import HeldView
from frontend.api.work import offering
from frontend.api.work.holding import scripted_hold, scripted_project, work_in_hand
from frontend.work.holds.assignment_hold import AssignmentHold
from tasks.engine import assignments
from tasks.engine.no_work import NoWork

SEARCHED = [
    OpenApiParameter("q", str, description="Words of titles and abstracts; a random sample if it is left out."),
    OpenApiParameter("seed", str, description="That of a random sample, to see more of it."),
    OpenApiParameter("page", int, description="From 1."),
]


class HeldWorkView(HeldView):
    """What you hold, wherever it may be done by script."""

    @read_call("list_work", shapes.WorkListSerializer)
    def get(self) -> Any:
        """List the work in hand."""
        return {"results": work_in_hand(self.person())}


class ClaimView(HeldView):
    """Work of an activity: what you hold already, or else the next. Consent, courses and judging are in the browser."""

    @change_call("claim_work", shapes.ClaimedSerializer, finder=scripted_project, body=shapes.ClaimSerializer)
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Claim work, or learn why there is none."""
        activity, now = self.kwargs["activity"], clock.now()
        claimed = offering.claim(project, activity, by=self.person(), result=sent["result"], now=now)
        if isinstance(claimed, NoWork):
            return {"work": None, "why_none": offering.none_left(project, activity, claimed)}
        work = assignments.work_of(claimed, untouched=claimed.annotation.opened_at == now)
        return {"work": self.work_now(AssignmentHold(claimed), work), "why_none": None}


class SearchView(HeldView):
    """What you may choose, where work is chosen by a search."""

    @extend_schema(operation_id="search_work", parameters=SEARCHED, responses=shapes.ResultsSerializer)
    def get(self, request: Request, slug: str, activity: str) -> Answer:
        """Search, or draw a random sample."""
        project = scripted_project(self.person(), slug)
        found = offering.results(project, activity, request.query_params.dict(), by=self.person())
        return Answer(shapes.ResultsSerializer(found).data)


class OneWorkView(HeldView):
    """A piece of work that you hold. Reading shared work is also the sign for your partner that you are there."""

    @read_call("read_work", shapes.WorkSerializer, finder=scripted_hold)
    def get(self, held: AssignmentHold) -> Any:
        """Read the work as it is now."""
        return self.work_now(held)
