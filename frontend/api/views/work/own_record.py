"""What you have done and are owed, and what you can do next; in projects where it may be done by script."""

from __future__ import annotations

from typing import Any

from frontend.api.calls import read_call
from frontend.api.paging import CursorPage
from frontend.api.serializers import own_record as shapes
from frontend.api.views.work.base import HeldView
from frontend.api.work import own_record


class FinishedView(HeldView):
    """What you have sent, with the answers that count, and what experts decided about it if that is told."""

    @read_call("list_finished_work", shapes.FinishedPageSerializer, query=shapes.FinishedQuerySerializer)
    def get(self, asked: dict[str, Any]) -> Any:
        """List your finished work, in the order of its claims."""
        page = CursorPage(self.request, own_record.finished_rows(self.person(), decided=asked["decided"]))
        return page.answer([own_record.finished_as_json(row) for row in page.rows])


class OwnPayView(HeldView):
    """Your pay."""

    @read_call("read_own_pay", shapes.OwnPaySerializer)
    def get(self) -> Any:
        """Read what you are owed, and what leads have marked as paid."""
        return own_record.pay_of(self.person())


class OwnTimeView(HeldView):
    """Your time, which is amended in the browser."""

    @read_call("read_own_time", shapes.OwnTimeSerializer, query=shapes.OwnTimeQuerySerializer)
    def get(self, days: dict[str, Any]) -> Any:
        """Read the time of some days."""
        return {"results": own_record.days_of(self.person(), **days)}


class OffersView(HeldView):
    """The activities that are open in your projects."""

    @read_call("list_offers", shapes.OffersSerializer)
    def get(self) -> Any:
        """List what you can do, and why not or why there is nothing."""
        return {"results": own_record.offers_to(self.person())}
