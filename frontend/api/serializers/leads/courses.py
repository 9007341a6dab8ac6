"""Courses of a project, the attempts at their exams, and their figures. No right option and no reference is told."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.statistics.intervals import Share
from frontend.api.paging import page_serializer, results_serializer
from frontend.api.sent import QuerySerializer, SentSerializer
from frontend.api.serializers.leads.qualifications import REASON
from frontend.leads.courses.attempts import FILTERS, AttemptOnPage
from frontend.leads.courses.figures import Group
from frontend.leads.courses.overview import BlockOnPage
from qualification.courses import deciding
from qualification.courses.candidates import FunnelStep
from qualification.courses.item_figures import ItemFigures
from qualification.models import AttemptState, CourseVersion, ExtraTime, Outcome

STATES = [(state, state) for state in ("draft", "published", "closed")]


class CourseVersionSerializer(serializers.ModelSerializer[CourseVersion]):
    """A version of a course: a draft; published, so that people begin it until a later one is; or closed.

    `people` have taken it. `corrected`: the keys of items of which the right answer was corrected since.
    """

    state = serializers.SerializerMethodField()
    people = serializers.IntegerField()
    corrected = serializers.SerializerMethodField()

    class Meta:
        model = CourseVersion
        fields = ("version", "state", "people", "sha256", "made_at", "published_at", "closed_at", "corrected")
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(choices=STATES))
    def get_state(self, row: CourseVersion) -> str:
        """By what was done with it."""
        return "draft" if row.published_at is None else "closed" if row.closed_at else "published"

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_corrected(self, row: CourseVersion) -> list[str]:
        """In alphabetical order."""
        return sorted(row.corrections)


class CourseSerializer(serializers.Serializer[Any]):
    """A course, by the key of the qualification to which it leads; its latest version first."""

    key = serializers.CharField()
    title = serializers.CharField()
    versions = CourseVersionSerializer(many=True)


CoursePageSerializer = page_serializer("CoursePageSerializer", CourseSerializer, "A page of courses.")


class BlockSerializer(serializers.Serializer[BlockOnPage]):
    """A block of the exam: `draw` items are drawn of a `pool`, which lacks `missing`; `mark` points pass it."""

    key = serializers.CharField(source="block.key")
    title = serializers.CharField(source="block.title")
    draw = serializers.IntegerField(source="block.draw")
    mark = serializers.CharField(source="block.mark", help_text="A decimal or a fraction, such as 4.6 or 7/2.")
    extra = serializers.BooleanField(source="block.extra", help_text="Who fails only it gets extra training.")
    pool = serializers.SerializerMethodField()
    missing = serializers.IntegerField()

    def get_pool(self, each: BlockOnPage) -> int:
        """How many items there are."""
        return len(each.block.pool)


class ObstacleSerializer(serializers.Serializer[object]):
    """What stands in the way of publishing: of which block or item ("" for the whole course), and a sentence."""

    of = serializers.CharField()
    why = serializers.CharField()


class WholeCourseSerializer(CourseSerializer):
    """A course as its page has it: the draft if there is one, else what was published last.

    `unfinished`: people who finish the version that they have begun, if the draft is published. `edits` counts the
    changes of the draft; `is_changed`: it differs from what is published.
    """

    progress = frozenset({"people", "unfinished"})

    version = serializers.IntegerField(help_text="Which of them is told.")
    edits = serializers.IntegerField()
    is_changed = serializers.BooleanField()
    attempts = serializers.IntegerField()
    wait_hours = serializers.IntegerField(help_text="Between two attempts.")
    minutes = serializers.IntegerField(allow_null=True, help_text="Null for no limit.")
    extension = serializers.IntegerField(help_text="Minutes that a candidate can add once.")
    paid = serializers.BooleanField()
    tutorial = serializers.IntegerField(help_text="Items.")
    blocks = BlockSerializer(many=True)
    obstacles = ObstacleSerializer(many=True)
    missing_pictures = serializers.IntegerField()
    unfinished = serializers.IntegerField()


class AttemptQuerySerializer(QuerySerializer):
    """Which attempts are listed: by their outcome, or those that are open or voided."""

    outcome = serializers.ChoiceField(choices=[(key, key) for key, _words in FILTERS if key], required=False)


class AttemptBlockSerializer(serializers.Serializer[object]):
    """The result of a block, in points."""

    block = serializers.CharField()
    title = serializers.CharField()
    points = serializers.FloatField()
    of = serializers.IntegerField()
    needed = serializers.FloatField()
    passed = serializers.BooleanField()


class AttemptSerializer(serializers.Serializer[AttemptOnPage]):
    """Somebody’s attempt at the exam, by their worker code. What they answered is not told."""

    uuid = serializers.UUIDField(source="row.uuid")
    person = serializers.CharField(source="row.user.worker_code")
    n = serializers.IntegerField(source="row.n", help_text="Of the person’s attempts.")
    version = serializers.IntegerField(source="row.course.version")
    state = serializers.ChoiceField(source="row.state", choices=AttemptState.choices)
    outcome = serializers.ChoiceField(
        source="row.outcome", choices=[("", ""), *Outcome.choices], help_text='"" while it is open.'
    )
    issued_at = serializers.DateTimeField(source="row.issued_at")
    finished_at = serializers.DateTimeField(source="row.finished_at", allow_null=True)
    minutes = serializers.IntegerField(allow_null=True)
    blocks = serializers.SerializerMethodField()
    voided_at = serializers.DateTimeField(source="row.voided_at", allow_null=True)
    voided_why = serializers.CharField(source="row.voided_why")

    @extend_schema_field(AttemptBlockSerializer(many=True))
    def get_blocks(self, attempt: AttemptOnPage) -> list[dict[str, Any]]:
        """In the order of the exam; none before it is over."""
        names = ("block", "points", "of", "needed", "passed")
        return [
            AttemptBlockSerializer({"title": title, **{name: getattr(each, name) for name in names}}).data
            for title, each in attempt.blocks
        ]


AttemptPageSerializer = page_serializer("AttemptPageSerializer", AttemptSerializer, "A page of attempts.")


class DecisionReasonSerializer(SentSerializer):
    """Why it is done."""

    reason = serializers.CharField(**REASON)


class MoreTimeSerializer(DecisionReasonSerializer):
    """How many minutes more somebody has in every attempt from the next one on; 0: none any more."""

    person = serializers.SlugField(max_length=20, help_text="A worker code.")
    minutes = serializers.IntegerField(min_value=0, max_value=deciding.MOST_MINUTES)


class ExtraTimeSerializer(serializers.ModelSerializer[ExtraTime]):
    """Minutes more that somebody has, why, and who gave them."""

    person = serializers.CharField(source="user.worker_code")
    by = serializers.CharField(source="by.worker_code", default=None, allow_null=True)

    class Meta:
        model = ExtraTime
        fields = ("person", "minutes", "reason", "by", "at")
        read_only_fields = fields


ExtraTimesSerializer = results_serializer("ExtraTimesSerializer", ExtraTimeSerializer, "For whom more time counts now.")


class ShareSerializer(serializers.Serializer[Share]):
    """A share of `n` with its 95 % interval."""

    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    n = serializers.IntegerField()


class FunnelStepSerializer(serializers.Serializer[FunnelStep]):
    """How many came to a step, and which share that is of the step `of`; both empty where there is none."""

    key = serializers.CharField()
    n = serializers.IntegerField()
    of = serializers.CharField()
    share = ShareSerializer(allow_null=True)


class CandidateGroupSerializer(serializers.Serializer[Group]):
    """Candidates of a week (its Monday), or of a source in words; `admitted` is a share of those who finished."""

    group = serializers.CharField(source="title")
    begun = serializers.IntegerField()
    issued = serializers.IntegerField()
    finished = serializers.IntegerField()
    admitted = ShareSerializer(source="share", allow_null=True)


class ItemFiguresSerializer(serializers.Serializer[ItemFigures]):
    """What the answers say of an item of the exam; null where there are too few."""

    item = serializers.CharField(source="item.key")
    block = serializers.CharField(help_text="Its title.")
    concept = serializers.CharField(source="item.concept")
    version = serializers.IntegerField()
    n = serializers.IntegerField(help_text="Answers.")
    right = serializers.IntegerField()
    share = ShareSerializer(allow_null=True)
    discrimination = serializers.FloatField(allow_null=True)
    median_seconds = serializers.FloatField(source="seconds", allow_null=True)
    too_easy = serializers.BooleanField()
    misleading = serializers.BooleanField()
    leaked_since = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DateField(allow_null=True))
    def get_leaked_since(self, each: ItemFigures) -> Any:
        """The day since which far more answers are right."""
        return each.jump.since if each.jump and each.leaked else None


class CourseFiguresSerializer(serializers.Serializer[object]):
    """The figures of a course. Trials are in none."""

    steps = FunnelStepSerializer(many=True)
    admitted = ShareSerializer(allow_null=True, help_text="Of those who finished.")
    weeks = CandidateGroupSerializer(many=True, help_text="The latest first.")
    sources = CandidateGroupSerializer(many=True)
    items = ItemFiguresSerializer(many=True)
