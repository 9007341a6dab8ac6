"""What you have done and are owed, and what you can do next; in projects where it may be done by script."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.sent import checked_query
from frontend.api.serializers import own_record as shapes
from frontend.api.views.work.base import HeldView
from frontend.api.work import own_record


class FinishedView(HeldView):
    """What you have sent, with the answers that count, and what experts decided about it if that is told."""

    @extend_schema(
        operation_id="list_finished_work",
        parameters=[shapes.FinishedQuerySerializer, *PAGED],
        responses=shapes.FinishedPageSerializer,
    )
    def get(self, request: Request) -> Answer:
        """List your finished work, in the order of its claims."""
        decided = checked_query(request, shapes.FinishedQuerySerializer)["decided"]
        page = CursorPage(request, own_record.finished_rows(self.person(), decided=decided))
        found = [own_record.finished_as_json(row) for row in page.rows]
        return Answer(shapes.FinishedPageSerializer(page.answer(found)).data)


class OwnPayView(HeldView):
    """Your pay."""

    @extend_schema(operation_id="read_own_pay", responses=shapes.OwnPaySerializer)
    def get(self, request: Request) -> Answer:
        """Read what you are owed, and what leads have marked as paid."""
        return Answer(shapes.OwnPaySerializer(own_record.pay_of(self.person())).data)


class OwnTimeView(HeldView):
    """Your time, which is amended in the browser."""

    @extend_schema(
        operation_id="read_own_time", parameters=[shapes.OwnTimeQuerySerializer], responses=shapes.OwnTimeSerializer
    )
    def get(self, request: Request) -> Answer:
        """Read the time of some days."""
        days = checked_query(request, shapes.OwnTimeQuerySerializer)
        return Answer(shapes.OwnTimeSerializer({"results": own_record.days_of(self.person(), **days)}).data)


class OffersView(HeldView):
    """The activities that are open in your projects."""

    @extend_schema(operation_id="list_offers", responses=shapes.OffersSerializer)
    def get(self, request: Request) -> Answer:
        """List what you can do, and why not or why there is nothing."""
        return Answer(shapes.OffersSerializer({"results": own_record.offers_to(self.person())}).data)
