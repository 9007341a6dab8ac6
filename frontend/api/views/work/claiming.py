"""What somebody holds, and how they get the next piece of work."""

from __future__ import annotations

import uuid as uuids

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from frontend.api.serializers import work as shapes
from frontend.api.views.work.base import HeldView
from frontend.api.work import offering
from frontend.api.work.holding import scripted_project, work_in_hand
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

    @extend_schema(operation_id="list_work", responses=shapes.WorkListSerializer)
    def get(self, request: Request) -> Answer:
        """List the work in hand."""
        return Answer(shapes.WorkListSerializer({"results": work_in_hand(self.person())}).data)


class ClaimView(HeldView):
    """Work of an activity: what you hold already, or else the next. Consent, courses and judging are in the browser."""

    @extend_schema(operation_id="claim_work", request=shapes.ClaimSerializer, responses=shapes.ClaimedSerializer)
    def post(self, request: Request, slug: str, activity: str) -> Answer:
        """Claim work, or learn why there is none."""
        project, now = scripted_project(self.person(), slug), clock.now()
        result = self.body(shapes.ClaimSerializer)["result"]
        claimed = offering.claim(project, activity, by=self.person(), result=result, now=now)
        if isinstance(claimed, NoWork):
            said = {"work": None, "why_none": offering.none_left(project, activity, claimed)}
            return Answer(shapes.ClaimedSerializer(said).data)
        work = assignments.work_of(claimed, untouched=claimed.annotation.opened_at == now)
        found = {"work": self.shown_work().work(AssignmentHold(claimed), work), "why_none": None}
        return Answer(shapes.ClaimedSerializer(found).data)


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

    @extend_schema(operation_id="read_work", responses=shapes.WorkSerializer)
    def get(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Read the work as it is now."""
        return self.answer(self.held(uuid))
