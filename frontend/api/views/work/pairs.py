"""Shared work: its side chat; end it without a partner who is lost, ask for more time, take back, flag."""

from __future__ import annotations

import uuid as uuids

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.errors import WrongMove
from frontend import access
from frontend.api.sent import checked_query
from frontend.api.serializers import work as shapes
from frontend.api.serializers.chats import ChatMessageSerializer, ChatQuerySerializer, ChatSerializer
from frontend.api.views.work.base import HeldView
from frontend.api.work import left
from frontend.api.work.holding import shared_hold
from frontend.work import chat
from frontend.work.holds.assignment_hold import AssignmentHold
from tasks.pairs import flag_rates, taking_back


class ChatView(HeldView):
    """The side chat of a pair, about the guidelines only; it is no part of the data, and leads read it."""

    @extend_schema(operation_id="read_chat", parameters=[ChatQuerySerializer], responses=ChatSerializer)
    def get(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Read what is new in the side chat, as long as the work lasts; ask again every few seconds."""
        held = shared_hold(self.person(), uuid)
        return self._lines(held, checked_query(request, ChatQuerySerializer)["after"])

    @extend_schema(operation_id="write_in_chat", request=ChatMessageSerializer, responses=ChatSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Write a message, and read what is new."""
        held, said = shared_hold(self.person(), uuid), self.body(ChatMessageSerializer)
        sent = {"text": said["text"], "to_lead": said["to_lead"], "key": self.submission_key(said)}
        chat.keep(held.assignment, sent, by=self.person(), now=clock.now())
        return self._lines(held, said["after"])

    def _lines(self, held: AssignmentHold, after: int) -> Answer:
        lines = chat.lines_after(held.assignment, reader=self.person(), after=after)
        found = {"latest": lines[-1].number if lines else after, "results": lines}
        return Answer(ChatSerializer(found).data)


class EndView(HeldView):
    """Shared work whose partner is lost or quiet."""

    keyed = True

    @extend_schema(operation_id="end_work", request=shapes.NoFieldsSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """End the work; what both have sent is kept. `another` ends it, too, and gets in line."""

        def end() -> Answer:
            held, _nothing = shared_hold(self.person(), uuid), self.body(shapes.NoFieldsSerializer)
            left.end(held, by=self.person(), now=clock.now())
            return self.answer(self.held(uuid))

        return self.once(end)


class MoreTimeView(HeldView):
    """Your turn, if it takes long."""

    keyed = True

    @extend_schema(operation_id="ask_for_time", request=shapes.NoFieldsSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Tell the partner that you need more time."""

        def ask() -> Answer:
            held, _nothing = shared_hold(self.person(), uuid), self.body(shapes.NoFieldsSerializer)
            left.ask_for_more_time(held, by=self.person(), now=clock.now())
            return self.answer(held)

        return self.once(ask)


class WithdrawView(HeldView):
    """What you have sent last, as long as the partner has not begun on it."""

    keyed = True

    @extend_schema(operation_id="withdraw_step", request=shapes.NoFieldsSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Take an answer back; it becomes the draft of its step."""

        def withdraw() -> Answer:
            held, _nothing = shared_hold(self.person(), uuid), self.body(shapes.NoFieldsSerializer)
            access.stage_of(held.work(), step)
            try:
                work = taking_back.take_back(held.assignment, step, by=self.person(), now=clock.now())
            except WrongMove as why:
                raise WrongMove(_(why.message), reason="already_begun") from None
            return self.answer(held, work)

        return self.once(withdraw)


class FlagView(HeldView):
    """What a partner has said, for a lead to look at; the partner is not told."""

    keyed = True

    @extend_schema(operation_id="flag_partner", request=shapes.FlagSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Flag an answer of the partner, or end the work by that."""

        def flag() -> Answer:
            held, said = shared_hold(self.person(), uuid), self.body(shapes.FlagSerializer)
            said["text"] = " ".join(said["text"].split())
            flag_rates.flag(held.assignment, **said, by=self.person(), now=clock.now())
            return self.answer(self.held(uuid))

        return self.once(flag)
