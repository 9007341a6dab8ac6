"""Shared work: its side chat; end it without a partner who is lost, ask for more time, take back, flag."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from annotation import clock
from annotation.errors import WrongMove
from frontend import access
from frontend.api.calls import change_call, read_call
from frontend.api.serializers import work as shapes
from frontend.api.serializers.chats import ChatMessageSerializer, ChatQuerySerializer, ChatSerializer
from frontend.api.views.work.base import HeldView
from frontend.api.work import partners
from frontend.api.work.holding import shared_hold
from frontend.work import chat
from frontend.work.holds.assignment_hold import AssignmentHold
from tasks.pairs import flag_rates, taking_back


class ChatView(HeldView):
    """The side chat of a pair, about the guidelines only; it is no part of the data, and leads read it."""

    @read_call("read_chat", ChatSerializer, finder=shared_hold, query=ChatQuerySerializer)
    def get(self, held: AssignmentHold, asked: dict[str, Any]) -> Any:
        """Read what is new in the side chat, as long as the work lasts; ask again every few seconds."""
        return self._lines(held, asked["after"])

    @change_call("write_in_chat", ChatSerializer, finder=shared_hold, body=ChatMessageSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Write a message, and read what is new."""
        message = {"text": sent["text"], "to_lead": sent["to_lead"], "key": self.submission_key(sent)}
        chat.keep(held.assignment, message, by=self.person(), now=clock.now())
        return self._lines(held, sent["after"])

    def _lines(self, held: AssignmentHold, after: int) -> dict[str, Any]:
        lines = chat.lines_after(held.assignment, reader=self.person(), after=after)
        return {"latest": lines[-1].number if lines else after, "results": lines}


class EndView(HeldView):
    """Shared work whose partner is lost or quiet."""

    keyed = True

    @change_call("end_work", shapes.WorkSerializer, finder=shared_hold, body=shapes.NoFieldsSerializer)
    def post(self, held: AssignmentHold, _sent: dict[str, Any]) -> Any:
        """End the work; what both have sent is kept. `another` ends it, too, and gets in line."""
        partners.end(held, by=self.person(), now=clock.now())
        return self.work_now(self.anew())


class MoreTimeView(HeldView):
    """Your turn, if it takes long."""

    keyed = True

    @change_call("ask_for_time", shapes.WorkSerializer, finder=shared_hold, body=shapes.NoFieldsSerializer)
    def post(self, held: AssignmentHold, _sent: dict[str, Any]) -> Any:
        """Tell the partner that you need more time."""
        partners.ask_for_more_time(held, by=self.person(), now=clock.now())
        return self.work_now(held)


class WithdrawView(HeldView):
    """What you have sent last, as long as the partner has not begun on it."""

    keyed = True

    @change_call("withdraw_step", shapes.WorkSerializer, finder=shared_hold, body=shapes.NoFieldsSerializer)
    def post(self, held: AssignmentHold, _sent: dict[str, Any]) -> Any:
        """Take an answer back; it becomes the draft of its step."""
        step = self.kwargs["step"]
        access.stage_of(held.work(), step)
        try:
            work = taking_back.take_back(held.assignment, step, by=self.person(), now=clock.now())
        except WrongMove as why:
            raise WrongMove(_(why.message), reason="already_begun") from None
        return self.work_now(held, work)


class FlagView(HeldView):
    """What a partner has said, for a lead to look at; the partner is not told."""

    keyed = True

    @change_call("flag_partner", shapes.WorkSerializer, finder=shared_hold, body=shapes.FlagSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Flag an answer of the partner, or end the work by that."""
        sent["text"] = " ".join(sent["text"].split())
        flag_rates.flag(held.assignment, **sent, by=self.person(), now=clock.now())
        return self.work_now(self.anew())
