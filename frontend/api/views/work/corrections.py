"""Correct what was sent, and notes to a lead: on a sealed step, and on many skips in a row."""

from __future__ import annotations

import uuid as uuids

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from frontend.api.serializers import work as shapes
from frontend.api.views.work.base import HeldView
from frontend.api.work import committing
from frontend.api.work.holding import open_hold
from frontend.work import conflicts
from tasks import corrections
from tasks.engine import skip_and_return


class ReplaceView(HeldView):
    """An answer that was sent and counts, for as long as the time of such work lasts, unless others build on it.

    Send it as an answer first: the refusal has in `now` the answer that counts, and in `replace` the version to send.
    """

    @extend_schema(operation_id="replace_answer", request=shapes.CommitSerializer, responses=shapes.CommittedSerializer)
    def post(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Have a second answer count in its place; the first stays in the record."""
        held, said = self.held(uuid), self.body(shapes.CommitSerializer)
        key, seen, now = self.submission_key(said), said["version"]["seen"], clock.now()
        try:
            done, words = committing.replace(held, step, said["payload"], key=key, seen=seen, now=now)
        except conflicts.CONFLICTS as why:
            return self.conflict(why, uuid, step)
        found = committing.as_json(done, words, held) | {"work": self.shown_work().work(held, done.work)}
        return Answer(shapes.CommittedSerializer(found).data)


class ReconsiderView(HeldView):
    """A step that is sealed: it can’t be answered again, as more was seen since."""

    keyed = True

    @extend_schema(operation_id="reconsider_step", request=shapes.NoteSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Tell a lead what you would say now, and go on."""

        def reconsider() -> Answer:
            held, said = open_hold(self.person(), uuid), self.body(shapes.NoteSerializer)
            corrections.reconsider(held.assignment, step, by=self.person(), **said, now=clock.now())
            return self.answer(held)

        return self.once(reconsider)


class ExplainView(HeldView):
    """Many skips in a row."""

    keyed = True

    @extend_schema(operation_id="explain_skips", request=shapes.NoteSerializer, responses=shapes.WorkSerializer)
    def post(self, request: Request, uuid: uuids.UUID) -> Answer:
        """Tell a lead what is wrong, after the skip of this work."""

        def explain() -> Answer:
            held, said = self.held(uuid), self.body(shapes.NoteSerializer)
            skip_and_return.explain(held.assignment, by=self.person(), **said, now=clock.now())
            return self.answer(held)

        return self.once(explain)
