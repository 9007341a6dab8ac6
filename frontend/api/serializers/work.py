"""A person's own work, as their script reads and writes it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.models.case import FlagReason
from frontend.api.paging import results_serializer
from frontend.api.serializers.bodies import BodySerializer, JsonObjectField

MAX_DRAFT = 100_000
LONGEST = 2000


class Output(serializers.Serializer[Any]):
    """Part of an answer."""


class VersionSerializer(Output):
    """What a call about a step sends back as it was read, so that nothing newer is overwritten."""

    seen = serializers.IntegerField(min_value=0, max_value=10**9, help_text="Answers that the step depends on.")
    client = serializers.UUIDField(help_text="Stands for the token, as for a page that stays open.")
    after = serializers.UUIDField(allow_null=True, default=None, help_text="Which page or token had the work.")
    base = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0, help_text="`seq` of the draft.")


class DraftSerializer(Output):
    """What was saved and not sent: fields of the page’s form, so that one can go on in the browser."""

    data = serializers.DictField()
    seq = serializers.IntegerField()
    saved_at = serializers.DateTimeField()


class StepSerializer(Output):
    """A step that was reached. `sheet` is everything that one may see at it, and `schema` says what its fields are."""

    step = serializers.CharField(help_text="Its address: the stage, with the turn if there are any.")
    stage = serializers.CharField()
    title = serializers.CharField()
    sheet_type = serializers.CharField()
    sheet = serializers.DictField()
    page = serializers.URLField(allow_null=True, help_text="Where the imported page is that the sheet shows, if any.")
    images = serializers.DictField(
        child=serializers.URLField(), help_text="Signed addresses by the numbers that the sheet has; no token is sent."
    )
    schema = serializers.URLField(help_text="Where the JSON Schema of the sheet and of the answer is.")
    locked = serializers.BooleanField(help_text="It is sealed and has been answered.")
    answer = serializers.DictField(allow_null=True, help_text="Your own that counts.")
    draft = DraftSerializer(allow_null=True)
    version = VersionSerializer()


class WaitingSerializer(Output):
    """What one may see while a partner is to answer. `withdraw`: the step that can be taken back now."""

    sheet_type = serializers.CharField()
    sheet = serializers.DictField()
    withdraw = serializers.CharField(allow_null=True)


class FlagReasonSerializer(Output):
    """For what a partner’s answer can be flagged, at which stages."""

    reason = serializers.CharField()
    title = serializers.CharField()
    stages = serializers.ListField(child=serializers.CharField())


class PartnerSerializer(Output):
    """How the partner is. `state`: here, unsure, lost, gone, all_gone or stopped."""

    state = serializers.CharField(allow_blank=True)
    signing_in = serializers.BooleanField()
    away_minutes = serializers.IntegerField()
    turn = serializers.CharField(allow_blank=True, help_text="reminded, may_ask, told; thinking, writing, slow, quiet.")
    idle_minutes = serializers.IntegerField()
    begun = serializers.BooleanField(help_text="They have saved something: what was sent can’t be taken back.")
    finds_another = serializers.BooleanField()
    paused_until = serializers.DateTimeField(allow_null=True)
    flags = FlagReasonSerializer(many=True)


class BlockPartSerializer(Output):
    """A piece of work of a block. `state`: untouched, draft, committed or skipped."""

    uuid = serializers.UUIDField()
    prompt = serializers.CharField(allow_blank=True)
    state = serializers.CharField()
    current = serializers.BooleanField()


class WorkSerializer(Output):
    """A piece of work that you hold or held. There is a `step` to answer, or `waiting` for a partner, or neither."""

    uuid = serializers.UUIDField()
    project = serializers.CharField()
    activity = serializers.CharField()
    title = serializers.CharField()
    seat = serializers.CharField()
    state = serializers.CharField(help_text="leased, expired, submitted, skipped, returned, revoked, rejected.")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="Until when it is yours.")
    reopened = serializers.CharField(allow_null=True, allow_blank=True, help_text="Why a lead sent it back.")
    steps = serializers.ListField(child=serializers.CharField(), help_text="Those that were reached.")
    step = StepSerializer(allow_null=True)
    waiting = WaitingSerializer(allow_null=True)
    partner = PartnerSerializer(allow_null=True)
    block = BlockPartSerializer(many=True)


class HeldWorkSerializer(Output):
    """A piece of work that you hold, without its sheet."""

    uuid = serializers.UUIDField()
    project = serializers.CharField()
    activity = serializers.CharField()
    claimed_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()


WorkListSerializer = results_serializer(
    "WorkListSerializer", HeldWorkSerializer, "What you hold, in the order in which you got it."
)


class RenewSerializer(BodySerializer):
    """`idle`: seconds since somebody used the interface, for shared work whose partner waits."""

    idle = serializers.IntegerField(required=False, default=None, allow_null=True, min_value=0, max_value=10**6)


class NoFieldsSerializer(BodySerializer):
    """An empty object."""


class NothingSerializer(Output):
    """Why there is no work."""

    reason = serializers.CharField()
    message = serializers.CharField()
    next_at = serializers.DateTimeField(allow_null=True)


class ClaimedSerializer(Output):
    """The work, or why there is none."""

    work = WorkSerializer(allow_null=True)
    why_none = NothingSerializer(allow_null=True)


class ClaimSerializer(BodySerializer):
    """Which work: `result` is that of a search, where work is chosen by one."""

    result = serializers.CharField(required=False, default="", allow_blank=True, max_length=4000)


class CommitSerializer(BodySerializer):
    """An answer. `key`: a UUID that you make for it; the same answer sent again with it counts once."""

    payload = JsonObjectField(help_text="By the schema of the step.")
    version = VersionSerializer()
    key = serializers.UUIDField(required=False, help_text="Instead of the header `Idempotency-Key`.")


class CommittedSerializer(Output):
    """What became of it, and the work as it is now. `next`: the rest of the block."""

    replayed = serializers.BooleanField(help_text="It had been sent already.")
    adopted = serializers.BooleanField(help_text="It came late, and counts.")
    late = serializers.CharField(allow_blank=True, help_text="It came too late for a place: taken, cancelled, barred.")
    message = serializers.CharField(allow_blank=True)
    work = WorkSerializer()
    next = serializers.UUIDField(allow_null=True)


class SaveDraftSerializer(BodySerializer):
    """A draft: fields of the page’s form, or your own. `seq` counts what you save of the step, from 1."""

    data = JsonObjectField(longest=MAX_DRAFT)
    seq = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    version = VersionSerializer()


class SavedSerializer(Output):
    """The draft as it is stored, and until when the work is yours."""

    draft = DraftSerializer()
    ends_at = serializers.DateTimeField(allow_null=True)


class HeldUntilSerializer(Output):
    """Until when the work is yours; null if its time has ended."""

    ends_at = serializers.DateTimeField(allow_null=True)


class LeaveSerializer(BodySerializer):
    """Why: hard, topic, language, sensitive, broken, other; and of a partner also time, partner or none."""

    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=40)
    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST)


class SkippedSerializer(WorkSerializer):
    """The work that was skipped. `asks_why`: so many were skipped in a row that you are asked what is wrong."""

    asks_why = serializers.BooleanField()


class NoteSerializer(BodySerializer):
    """A note that a lead reads."""

    text = serializers.CharField(max_length=LONGEST)


class ReportSerializer(BodySerializer):
    """What is wrong with the item itself."""

    reason = serializers.ChoiceField(choices=[(one.value, one.value) for one in FlagReason])
    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST)


class FlagSerializer(BodySerializer):
    """What is wrong with what a partner has said at `step`. `ends`: so serious that the work ends now."""

    step = serializers.CharField(max_length=40)
    reason = serializers.CharField(max_length=40)
    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=1000)
    ends = serializers.BooleanField(required=False, default=False)


class TimeSerializer(BodySerializer):
    """Seconds for which somebody had the step before them since the last report, and those with input."""

    seconds = serializers.FloatField(min_value=0, max_value=3600)
    active = serializers.FloatField(min_value=0, max_value=3600)


class BookedTimeSerializer(Output):
    """The seconds that count as work; never more than have passed since the claim and what was counted before."""

    counted = serializers.FloatField()


class PageSerializer(Output):
    """The page as its frame shows it, or the box of it. `words`: token, start and end in UTF-16 units of `text`."""

    html = serializers.CharField(help_text="Sanitised: no script, no address but those of its images.")
    text = serializers.CharField(allow_blank=True)
    words = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    lang = serializers.CharField(allow_blank=True)
    dir = serializers.CharField(allow_blank=True)


class SchemasSerializer(Output):
    """JSON Schemas: of the sheet, and of the answer (`payload`)."""

    sheet = serializers.DictField()
    payload = serializers.DictField()


class ResultSerializer(Output):
    """A result of a search; `result` is what a claim of it sends."""

    title = serializers.CharField(allow_blank=True)
    excerpt = serializers.CharField(allow_blank=True)
    result = serializers.CharField()


class ResultsSerializer(Output):
    """A page of results; `seed` draws the same random sample again."""

    query = serializers.CharField(allow_blank=True)
    seed = serializers.CharField(allow_blank=True)
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    results = ResultSerializer(many=True)
