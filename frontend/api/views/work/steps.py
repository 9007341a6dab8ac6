"""The steps of a piece of work: their sheets and material, drafts, answers, and the time that they took."""

from __future__ import annotations

import uuid as uuids

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from frontend.api.sent import checked_query
from frontend.api.serializers import work as shapes
from frontend.api.serializers.own_record import QuotePlacesSerializer, QuoteQuerySerializer
from frontend.api.views.work.base import HeldView
from frontend.api.work import committing
from frontend.api.work.holding import open_hold
from frontend.api.work.sheets import schemas_of
from frontend.api.work.spent import keep_time
from frontend.work import conflicts
from frontend.work.forms import filling


class StepView(HeldView):
    """A step of your work that was reached."""

    @extend_schema(operation_id="read_step", responses=shapes.StepSerializer)
    def get(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Read its sheet, and what you have answered or drafted."""
        held = open_hold(self.person(), uuid)
        return Answer(shapes.StepSerializer(self.shown_work().step(held, held.work(), step)).data)

    @extend_schema(operation_id="commit_step", request=shapes.CommitSerializer, responses=shapes.CommittedSerializer)
    def post(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Send the answer; the one to the last step finishes the work."""
        held, said = self.held(uuid), self.body(shapes.CommitSerializer)
        key, version, now = self.submission_key(said), said["version"], clock.now()
        try:
            done, words = committing.commit(held, step, said["payload"], key=key, version=version, now=now)
        except conflicts.CONFLICTS as why:
            return self.conflict(why, uuid, step)
        found = committing.as_json(done, words, held) | {"work": self.shown_work().work(held, done.work)}
        return Answer(shapes.CommittedSerializer(found).data)


class DraftView(HeldView):
    """The draft of a step, which its page in the browser shows, too."""

    @extend_schema(operation_id="save_draft", request=shapes.SaveDraftSerializer, responses=shapes.SavedSerializer)
    def put(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Save the draft of a step, and keep the work for longer."""
        held, said = self.held(uuid), self.body(shapes.SaveDraftSerializer)
        try:
            draft = committing.save_draft(held, step, said, now=clock.now())
        except conflicts.CONFLICTS as why:
            return self.conflict(why, uuid, step)
        return Answer(shapes.SavedSerializer({"draft": draft, "ends_at": held.ends_at()}).data)


class TimeView(HeldView):
    """The time at a step. Without such reports a script’s work counts, but none of its time."""

    keyed = True

    @extend_schema(operation_id="report_time", request=shapes.TimeSerializer, responses=shapes.BookedTimeSerializer)
    def post(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Report time that somebody has spent on a step."""
        held, said = open_hold(self.person(), uuid), self.body(shapes.TimeSerializer)
        return self.once(lambda: Answer({"counted": keep_time(held, step, **said, now=clock.now())}))


class StepSchemaView(HeldView):
    """What the fields of a sheet and of an answer are."""

    @extend_schema(operation_id="read_schemas", responses=shapes.SchemasSerializer)
    def get(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Read the JSON Schemas of a step."""
        held = open_hold(self.person(), uuid)
        work = held.work()
        return Answer(schemas_of(held.sheet(work, step, now=clock.now()), work.stage(step)))


class PageView(HeldView):
    """The imported page that a sheet shows, or the box of it."""

    @extend_schema(operation_id="read_page", responses=shapes.PageSerializer)
    def get(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Read the page of a step."""
        held = open_hold(self.person(), uuid)
        return Answer(shapes.PageSerializer(self.shown_work().page(held, held.work(), step)).data)


class QuoteView(HeldView):
    """A quote in what a sheet shows: how marked words are found without counting."""

    @extend_schema(operation_id="find_quote", parameters=[QuoteQuerySerializer], responses=QuotePlacesSerializer)
    def get(self, request: Request, uuid: uuids.UUID, step: str) -> Answer:
        """Find where a quote occurs in the material."""
        held, text = open_hold(self.person(), uuid), checked_query(request, QuoteQuerySerializer)["text"]
        found = [{"text": None} | each for each in filling.places_of_quote(held.work(), step, text)]
        return Answer(QuotePlacesSerializer({"matches": found}).data)
