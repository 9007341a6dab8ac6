"""Keep a piece of work for longer, take it over from a page, or leave it."""

from __future__ import annotations

import uuid as uuids
from datetime import timedelta

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models.case import FlagReason
from frontend.api.serializers import work as shapes
from frontend.api.views.work.base import HeldView
from frontend.api.work import left
from frontend.api.work.holding import client_of
from frontend.work.messages import after_skip
from tasks.engine import skip_and_return
from tasks.pairs import turn_time


class RenewView(HeldView):
    """The time for which the work is yours."""

    @extend_schema(operation_id="renew_work", request=shapes.RenewSerializer, responses=shapes.HeldUntilSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Keep the work for longer."""
        held, idle, now = self.held(uuid), self.body(shapes.RenewSerializer)["idle"], clock.now()
        if not held.in_hand:
            raise held.why_closed()
        if idle is not None and len(held.work().activity.seats) > 1:
            turn_time.note_input(held.assignment, at=now - timedelta(seconds=idle))
        return Answer(shapes.HeldUntilSerializer({"ends_at": held.renewed(now=now)}).data)


class TakeView(HeldView):
    """Which page or script may write, where the work is open in several."""

    @extend_schema(operation_id="take_work", request=shapes.NoFieldsSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Go on with the work here: what was open before is refused from now on."""
        held, _nothing = self.held(uuid), self.body(shapes.NoFieldsSerializer)
        if not held.in_hand:
            raise held.why_closed()
        held.take_over(client=client_of(self.token()), now=clock.now())
        return self.answer(held)


class SkipView(HeldView):
    """Leaving work for good; it counts as no answer."""

    keyed = True

    @extend_schema(operation_id="skip_work", request=shapes.LeaveSerializer, responses=shapes.SkippedSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Skip the work."""

        def skip() -> Answer:
            held, said, now = self.held(uuid), self.body(shapes.LeaveSerializer), clock.now()
            left.check_reason(held, said, now=now)
            skip_and_return.skip(held.assignment, by=self.person(), **said, now=now)
            left_now = self.held(uuid)
            found = self.shown_work().work(left_now, left_now.work())
            asks = bool(after_skip(left_now.assignment)["ask"])
            return Answer(shapes.SkippedSerializer(found | {"asks_why": asks}).data)

        return self.once(skip)


class UnskipView(HeldView):
    """Undoing that, within ten seconds."""

    keyed = True

    @extend_schema(operation_id="unskip_work", request=shapes.NoFieldsSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Undo a skip."""

        def unskip() -> Answer:
            held, _nothing = self.held(uuid), self.body(shapes.NoFieldsSerializer)
            skip_and_return.undo_skip(held.assignment, by=self.person(), now=clock.now())
            return self.answer(self.held(uuid))

        return self.once(unskip)


class ReturnView(HeldView):
    """Stopping for now: the draft is kept, and for 24 hours the work is offered to you first."""

    keyed = True

    @extend_schema(operation_id="return_work", request=shapes.LeaveSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Return the work; of a block, all that is not sent."""

        def give_back() -> Answer:
            held, said, now = self.held(uuid), self.body(shapes.LeaveSerializer), clock.now()
            left.check_reason(held, said, now=now)
            skip_and_return.give_back(held.assignment, by=self.person(), **said, now=now)
            return self.answer(self.held(uuid))

        return self.once(give_back)


class ReportView(HeldView):
    """Something is wrong with the item itself; a lead looks at it."""

    keyed = True

    @extend_schema(operation_id="report_work", request=shapes.ReportSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Report the item, and leave the work."""

        def report() -> Answer:
            held, said = self.held(uuid), self.body(shapes.ReportSerializer)
            held.report(reason=FlagReason(said["reason"]), text=said["text"].strip(), now=clock.now())
            return self.answer(self.held(uuid))

        return self.once(report)
