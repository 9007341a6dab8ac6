"""Keep a piece of work for longer, take it over from a page, or leave it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from annotation import clock
from annotation.models.case import FlagReason
from frontend.api.calls import change_call
from frontend.api.serializers import work as shapes
from frontend.api.views.work.base import HeldView
from frontend.api.work import partners
from frontend.api.work.holding import client_of, scripted_hold
from frontend.work.holds.assignment_hold import AssignmentHold
from frontend.work.messages import after_skip
from tasks.engine import skip_and_return
from tasks.pairs import turn_time


class RenewView(HeldView):
    """The time for which the work is yours."""

    @change_call("renew_work", shapes.HeldUntilSerializer, finder=scripted_hold, body=shapes.RenewSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Keep the work for longer."""
        idle, now = sent["idle"], clock.now()
        if not held.in_hand:
            raise held.why_closed()
        if idle is not None and len(held.work().activity.seats) > 1:
            turn_time.note_input(held.assignment, at=now - timedelta(seconds=idle))
        return {"ends_at": held.renewed(now=now)}


class TakeView(HeldView):
    """Which page or script may write, where the work is open in several."""

    @change_call("take_work", shapes.WorkSerializer, finder=scripted_hold, body=shapes.NoFieldsSerializer)
    def post(self, held: AssignmentHold, _sent: dict[str, Any]) -> Any:
        """Go on with the work here: what was open before is refused from now on."""
        if not held.in_hand:
            raise held.why_closed()
        held.take_over(client=client_of(self.token()), now=clock.now())
        return self.work_now(held)


class SkipView(HeldView):
    """Leaving work for good; it counts as no answer."""

    keyed = True

    @change_call("skip_work", shapes.SkippedSerializer, finder=scripted_hold, body=shapes.LeaveSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Skip the work."""
        now = clock.now()
        partners.check_reason(held, sent, now=now)
        skip_and_return.skip(held.assignment, by=self.person(), **sent, now=now)
        left_now = self.anew()
        return self.work_now(left_now) | {"asks_why": bool(after_skip(left_now.assignment)["ask"])}


class UnskipView(HeldView):
    """Undoing that, within ten seconds."""

    keyed = True

    @change_call("unskip_work", shapes.WorkSerializer, finder=scripted_hold, body=shapes.NoFieldsSerializer)
    def post(self, held: AssignmentHold, _sent: dict[str, Any]) -> Any:
        """Undo a skip."""
        skip_and_return.undo_skip(held.assignment, by=self.person(), now=clock.now())
        return self.work_now(self.anew())


class ReturnView(HeldView):
    """Stopping for now: the draft is kept, and for 24 hours the work is offered to you first."""

    keyed = True

    @change_call("return_work", shapes.WorkSerializer, finder=scripted_hold, body=shapes.LeaveSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Return the work; of a block, all that is not sent."""
        now = clock.now()
        partners.check_reason(held, sent, now=now)
        skip_and_return.give_back(held.assignment, by=self.person(), **sent, now=now)
        return self.work_now(self.anew())


class ReportView(HeldView):
    """Something is wrong with the item itself; a lead looks at it."""

    keyed = True

    @change_call("report_work", shapes.WorkSerializer, finder=scripted_hold, body=shapes.ReportSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Report the item, and leave the work."""
        held.report(reason=FlagReason(sent["reason"]), text=sent["text"].strip(), now=clock.now())
        return self.work_now(self.anew())
