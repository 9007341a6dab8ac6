"""The steps of a piece of work: their sheets and material, drafts, answers, and the time that they took."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response as Answer

from annotation import clock
from frontend.api.calls import change_call, read_call
from frontend.api.serializers import work as shapes
from frontend.api.serializers.own_record import QuotePlacesSerializer, QuoteQuerySerializer
from frontend.api.views.work.base import HeldView
from frontend.api.work import committing
from frontend.api.work.holding import open_hold, scripted_hold
from frontend.api.work.shown import schemas_of
from frontend.work import conflicts
from frontend.work.forms import filling
from frontend.work.holds.assignment_hold import AssignmentHold


class StepView(HeldView):
    """A step of your work that was reached."""

    @read_call("read_step", shapes.StepSerializer, finder=open_hold)
    def get(self, held: AssignmentHold) -> Any:
        """Read its sheet, and what you have answered or drafted."""
        return self.shown_work().step(held, held.work(), self.kwargs["step"])

    @change_call("commit_step", shapes.CommittedSerializer, finder=scripted_hold, body=shapes.CommitSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Send the answer; the one to the last step finishes the work."""
        step, key, version, now = self.kwargs["step"], self.submission_key(sent), sent["version"], clock.now()
        try:
            done, words = committing.commit(held, step, sent["payload"], key=key, version=version, now=now)
        except conflicts.CONFLICTS as why:
            return self.conflict(why)
        return committing.as_json(done, words, held) | {"work": self.work_now(held, done.work)}


class DraftView(HeldView):
    """The draft of a step, which its page in the browser shows, too."""

    @change_call("save_draft", shapes.SavedSerializer, finder=scripted_hold, body=shapes.SaveDraftSerializer)
    def put(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Save the draft of a step, and keep the work for longer."""
        try:
            draft = committing.save_draft(held, self.kwargs["step"], sent, now=clock.now())
        except conflicts.CONFLICTS as why:
            return self.conflict(why)
        return {"draft": draft, "ends_at": held.ends_at()}


class TimeView(HeldView):
    """The time at a step. Without such reports a script’s work counts, but none of its time."""

    keyed = True
    replays_first = False

    @change_call("report_time", shapes.BookedTimeSerializer, finder=open_hold, body=shapes.TimeSerializer)
    def post(self, held: AssignmentHold, sent: dict[str, Any]) -> Any:
        """Report time that somebody has spent on a step."""
        return {"counted": committing.keep_time(held, self.kwargs["step"], **sent, now=clock.now())}


class StepSchemaView(HeldView):
    """What the fields of a sheet and of an answer are."""

    @read_call("read_schemas", shapes.SchemasSerializer, finder=open_hold)
    def get(self, held: AssignmentHold) -> Answer:
        """Read the JSON Schemas of a step."""
        work, step = held.work(), self.kwargs["step"]
        return Answer(schemas_of(held.sheet(work, step, now=clock.now()), work.stage(step)))


class PageView(HeldView):
    """The imported page that a sheet shows, or the box of it."""

    @read_call("read_page", shapes.PageSerializer, finder=open_hold)
    def get(self, held: AssignmentHold) -> Any:
        """Read the page of a step."""
        return self.shown_work().page(held, held.work(), self.kwargs["step"])


class QuoteView(HeldView):
    """A quote in what a sheet shows: how marked words are found without counting."""

    @read_call("find_quote", QuotePlacesSerializer, finder=open_hold, query=QuoteQuerySerializer)
    def get(self, held: AssignmentHold, asked: dict[str, Any]) -> Any:
        """Find where a quote occurs in the material."""
        found = filling.places_of_quote(held.work(), self.kwargs["step"], asked["text"])
        return {"matches": [{"text": None} | each for each in found]}
