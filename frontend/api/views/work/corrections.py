"""Correct what was sent, and notes to a lead: on a sealed step, and on many skips in a row."""

from __future__ import annotations

from typing import Any

from annotation import clock
from frontend.api.calls import change_call
from frontend.api.serializers import work as shapes
from frontend.api.views.work.base import HeldView
from frontend.api.work import committing
from frontend.api.work.holding import open_hold, scripted_hold
from frontend.work import conflicts
from frontend.work.holds.assignment_hold import AssignmentHold
from tasks import corrections
from tasks.engine import skip_and_return


class ReplaceView(HeldView):
    """An answer that was sent and counts, for as long as the time of such work lasts, unless others build on it.

    Send it as an answer first: the refusal has in `now` the answer that counts, and in `replace` the version to send.
    """

    @change_call("replace_answer", shapes.CommittedSerializer, finder=scripted_hold, body=shapes.CommitSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Have a second answer count in its place; the first stays in the record."""
        step, key, seen, now = self.kwargs["step"], self.submission_key(sent), sent["version"]["seen"], clock.now()
        try:
            done, words = committing.replace(held, step, sent["payload"], key=key, seen=seen, now=now)
        except conflicts.CONFLICTS as why:
            return self.conflict(why)
        return committing.as_json(done, words, held) | {"work": self.work_now(held, done.work)}


class ReconsiderView(HeldView):
    """A step that is sealed: it can’t be answered again, as more was seen since."""

    keyed = True

    @change_call("reconsider_step", shapes.WorkSerializer, finder=open_hold, body=shapes.NoteSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Tell a lead what you would say now, and go on."""
        corrections.reconsider(held.assignment, self.kwargs["step"], by=self.person(), **sent, now=clock.now())
        return self.work_now(held)


class ExplainView(HeldView):
    """Many skips in a row."""

    keyed = True

    @change_call("explain_skips", shapes.WorkSerializer, finder=scripted_hold, body=shapes.NoteSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Tell a lead what is wrong, after the skip of this work."""
        skip_and_return.explain(held.assignment, by=self.person(), **sent, now=clock.now())
        return self.work_now(held)
