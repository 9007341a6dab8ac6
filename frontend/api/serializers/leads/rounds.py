"""Judging rounds."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.judging.rules import MOST, MOST_PRACTICE, MOST_REPEATS
from annotation.models import Defect, Job, JudgingRound, PredictionSet
from frontend.api.paging import page_serializer, results_serializer
from frontend.api.sent import SentSerializer
from frontend.api.serializers.leads.courses import DecisionReasonSerializer
from frontend.leads.judging.exhibits import ExhibitRow
from frontend.leads.judging.forms import LONGEST_SEED
from frontend.leads.judging.pages import RaterRow


class RoundSerializer(serializers.ModelSerializer[JudgingRound]):
    """A judging round. `raters` and `locked` are how many judge, and how many of them have finished."""

    exhibits = serializers.IntegerField(help_text="Judged ones.")
    raters = serializers.IntegerField()
    locked = serializers.IntegerField()

    class Meta:
        model = JudgingRound
        fields: tuple[str, ...] = (
            *("uuid", "title", "state", "exhibits", "raters", "locked"),
            *("made_at", "sealed_at", "ended_at", "sha256", "stopped_why"),
        )
        read_only_fields = fields


RoundPageSerializer = page_serializer("RoundPageSerializer", RoundSerializer, "A page of rounds.")


class SealingSerializer(serializers.ModelSerializer[Job]):
    """The job that seals a round in which there is much to read."""

    class Meta:
        model = Job
        fields = ("state", "done", "total", "error")
        read_only_fields = fields


class WholeRoundSerializer(RoundSerializer):
    """A round with its rubric and its rules. `sealing`: the job that seals a draft, or has failed to."""

    progress = frozenset({"locked"})

    rubric = serializers.JSONField()
    rules = serializers.JSONField()
    chair = serializers.CharField(allow_null=True, help_text="The worker code of who leads the meeting.")
    sealing = SealingSerializer(allow_null=True)

    class Meta(RoundSerializer.Meta):
        fields = (*RoundSerializer.Meta.fields, "rubric", "rules", "population", "chair", "sealing")
        read_only_fields = fields


class RoundResultsSerializer(serializers.Serializer[dict[str, Any]]):
    """What was sealed, and what was found: the file of results of the page."""

    results = serializers.JSONField()


class RoundChoicesSerializer(SentSerializer):
    """What is judged, how many, and by whom: the choices of the page. What is left out of a change stays."""

    title = serializers.CharField(required=False, max_length=JudgingRound.LONGEST)
    kind = serializers.SlugField(required=False, max_length=40, help_text="A kind of exhibits of the protocol.")
    split = serializers.CharField(required=False, allow_blank=True, max_length=40)
    sample = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MOST, help_text="How many are drawn; null for all."
    )
    strata = serializers.DictField(
        required=False,
        child=serializers.IntegerField(min_value=0, max_value=MOST),
        help_text="How many of each type of item, in place of `sample`.",
    )
    of_an_item = serializers.ChoiceField(
        required=False, choices=[("one", "one"), ("all", "all")], help_text="Where several people have answered."
    )
    systems = serializers.ListField(
        required=False, child=serializers.UUIDField(), max_length=100, help_text="Sets of predictions."
    )
    together = serializers.BooleanField(required=False, help_text="All answers to an item on one screen.")
    seed = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_SEED)
    practice = serializers.IntegerField(required=False, min_value=0, max_value=MOST_PRACTICE)
    repeats = serializers.IntegerField(required=False, min_value=0, max_value=MOST_REPEATS, help_text="Of 100.")
    judged_by = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=1000, help_text="Raters of each; null for all."
    )
    raters = serializers.ListField(
        required=False, child=serializers.SlugField(max_length=20), max_length=100, help_text="Worker codes."
    )
    meeting = serializers.BooleanField(required=False)
    chair = serializers.SlugField(required=False, allow_null=True, max_length=20, help_text="A worker code.")


class NewRoundSerializer(RoundChoicesSerializer):
    """A new round. What is left out is as the page has it at first."""

    kind = serializers.SlugField(max_length=40, help_text="A kind of exhibits of the protocol.")
    raters = serializers.ListField(
        child=serializers.SlugField(max_length=20), allow_empty=False, max_length=100, help_text="Worker codes."
    )


class RaterLeftOutSerializer(serializers.Serializer[object]):
    """Of how many exhibits a rater is left out, and why."""

    why = serializers.CharField()
    n = serializers.IntegerField()


class RaterSerializer(serializers.Serializer[RaterRow]):
    """A rater, how many exhibits they are given and have judged, and how they dropped out, if they did."""

    number = serializers.IntegerField(source="rater.number", help_text="By which results name them.")
    person = serializers.CharField(source="rater.person.worker_code")
    given = serializers.IntegerField()
    judged = serializers.IntegerField()
    locked_at = serializers.DateTimeField(source="rater.locked_at", allow_null=True)
    left_out = serializers.SerializerMethodField()
    replaced_at = serializers.DateTimeField(source="replaced.at", default=None, allow_null=True)
    replaced_why = serializers.CharField(source="replaced.reason", default="")

    @extend_schema_field(RaterLeftOutSerializer(many=True))
    def get_left_out(self, row: RaterRow) -> list[dict[str, Any]]:
        """By the reason, in words."""
        return [{"why": why, "n": n} for why, n in row.left_out]


RatersSerializer = results_serializer("RatersSerializer", RaterSerializer, "The raters of a round, by number.")


class ReplaceRaterSerializer(DecisionReasonSerializer):
    """Who judges in the place of a rater who drops out; null for nobody."""

    person = serializers.SlugField(default=None, allow_null=True, max_length=20, help_text="A worker code.")


class ChairSerializer(SentSerializer):
    """Who leads the meeting: one of the raters, or a lead."""

    person = serializers.SlugField(max_length=20, help_text="A worker code.")


class DefectSerializer(serializers.ModelSerializer[Defect]):
    """Why it can’t be judged, and the place of the spare that is judged instead."""

    replaced_by = serializers.IntegerField(source="replaced_by.place", default=None, allow_null=True)

    class Meta:
        model = Defect
        fields = ("why", "at", "replaced_by")
        read_only_fields = fields


class ExhibitSerializer(serializers.Serializer[ExhibitRow]):
    """An exhibit as raters see it, by its place in the sealed order; `replaces`: the place of a defect."""

    place = serializers.IntegerField(source="exhibit.place")
    item = serializers.IntegerField(source="exhibit.item_id")
    shown = serializers.JSONField(source="exhibit.shown")
    is_marked = serializers.BooleanField()
    can_be_flagged = serializers.BooleanField()
    defect = DefectSerializer(allow_null=True)
    replaces = serializers.IntegerField(allow_null=True)


ExhibitPageSerializer = page_serializer("ExhibitPageSerializer", ExhibitSerializer, "A page of exhibits.")


class PredictionSetSerializer(serializers.ModelSerializer[PredictionSet]):
    """Answers of a system: how many there are, and to how many items."""

    answers = serializers.IntegerField()
    items = serializers.IntegerField()

    class Meta:
        model = PredictionSet
        fields = ("uuid", "system", "format", "split", "answers", "items", "added_at")
        read_only_fields = fields


PredictionPageSerializer = page_serializer(
    "PredictionPageSerializer", PredictionSetSerializer, "A page of sets of predictions."
)


class NewPredictionsSerializer(SentSerializer):
    """The answers of a system, in an upload that has arrived; `layout` says how its lines look."""

    system = serializers.CharField(max_length=PredictionSet.LONGEST, help_text="Its name, which raters never see.")
    layout = serializers.SlugField(max_length=40)
    split = serializers.CharField(default="", allow_blank=True, max_length=40, help_text="Only these items.")
    file = serializers.UUIDField(help_text="The upload.")


class AddedPredictionsSerializer(serializers.Serializer[object]):
    """A new set, and how many answers were left out, as their items are not there."""

    predictions = PredictionSetSerializer()
    left_out = serializers.IntegerField()
