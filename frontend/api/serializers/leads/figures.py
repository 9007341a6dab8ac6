"""Figures of a project: agreement, the human bound, those of its protocol, and the cards of its board."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.statistics.estimates import Estimate
from frontend.api.paging import results_serializer
from frontend.api.sent import ParametersSerializer
from frontend.leads.agreement.shown import AgreementPage, Number
from frontend.leads.board.numbers import Card
from frontend.leads.estimates import no_interval


class PartQuerySerializer(ParametersSerializer):
    """A part of a project; all of it without these."""

    split = serializers.CharField(required=False, max_length=40)
    person = serializers.SlugField(required=False, max_length=20, help_text="A worker code.")
    since = serializers.DateField(required=False, help_text="The first day (UTC).")
    until = serializers.DateField(required=False, help_text="The last day.")


class AgreementQuerySerializer(PartQuerySerializer):
    """What agreement is asked for: by default of the first activity in the first measure."""

    activity = serializers.SlugField(required=False, max_length=40)
    measure = serializers.CharField(required=False, max_length=80)


class BoardQuerySerializer(PartQuerySerializer):
    """The part of the project that a board is of."""

    queue = serializers.SlugField(required=False, max_length=40, help_text="The key of an activity.")


class EstimateSerializer(serializers.Serializer[Estimate]):
    """A number with its 95 % interval: both null where it is undefined, the latter where there are too few."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(help_text="Of how many items it is.")
    no_interval = serializers.SerializerMethodField(help_text='Why there is none, in words; "" if there is one.')

    def get_no_interval(self, estimate: Estimate) -> str:
        """In the caller’s language."""
        return no_interval(estimate)


class NumberSerializer(serializers.Serializer[Number]):
    """A statistic."""

    key = serializers.CharField()
    estimate = EstimateSerializer()


class MeasureSerializer(serializers.Serializer[object]):
    """The numbers of one measure; `by_turn`: each turn is compared by itself."""

    key = serializers.CharField()
    title = serializers.CharField()
    by_turn = serializers.BooleanField()
    numbers = NumberSerializer(many=True)


class PersonAgreementSerializer(serializers.Serializer[object]):
    """How accurate somebody is estimated to be, and how far they agree with others; null where too little is known."""

    person = serializers.CharField(source="code")
    accuracy = NumberSerializer(allow_null=True)
    agrees = NumberSerializer(allow_null=True)


class LowSerializer(serializers.Serializer[object]):
    """An item with low agreement."""

    item = serializers.IntegerField()
    agreed = serializers.FloatField()
    n = serializers.IntegerField(help_text="Annotations.")


class AgreementSerializer(serializers.Serializer[AgreementPage]):
    """Agreement as it was measured last."""

    activity = serializers.CharField(source="activity.key")
    measure = serializers.CharField(source="measure.key")
    headline = NumberSerializer()
    measures = MeasureSerializer(source="groups", many=True)
    by_split = serializers.SerializerMethodField()
    by_week = serializers.SerializerMethodField(help_text="By its first day.")
    people = PersonAgreementSerializer(many=True, help_text="The least accurate first.")
    worst = LowSerializer(many=True, help_text="Items with the lowest agreement.")
    sizes = serializers.DictField(child=serializers.IntegerField())
    measured_at = serializers.DateTimeField()

    @extend_schema_field(serializers.DictField(child=EstimateSerializer()))
    def get_by_split(self, page: AgreementPage) -> dict[str, Any]:
        """The headline of each split."""
        return {split: EstimateSerializer(number.estimate).data for split, number in page.by_split}

    @extend_schema_field(serializers.DictField(child=EstimateSerializer()))
    def get_by_week(self, page: AgreementPage) -> dict[str, Any]:
        """The headline of each week."""
        return {str(week): EstimateSerializer(number.estimate).data for week, number in page.weeks}


class MeasuredAgreementSerializer(serializers.Serializer[object]):
    """`agreement` is null until something has been measured, which begins by itself."""

    agreement = AgreementSerializer(allow_null=True)


class BoundFigureSerializer(serializers.Serializer[object]):
    """A figure of how well people do, at full precision; `why_not`: why it can’t be measured yet."""

    split = serializers.CharField()
    figure = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    counts = serializers.DictField(child=serializers.IntegerField(allow_null=True), help_text="Of how many it is.")
    no_interval = serializers.CharField(allow_null=True)
    published = serializers.FloatField(allow_null=True)
    why_not = serializers.CharField()
    measured_at = serializers.DateTimeField()


BoundFiguresSerializer = results_serializer(
    "BoundFiguresSerializer", BoundFigureSerializer, "None until something has been measured."
)


class FigureRowSerializer(serializers.Serializer[object]):
    """A figure beside the published one, in words; as shares of 0..1 if they are shares."""

    label = serializers.CharField()
    ours = serializers.CharField()
    published = serializers.CharField()
    share = serializers.FloatField(allow_null=True)
    share_published = serializers.FloatField(allow_null=True)
    estimate = EstimateSerializer(allow_null=True)
    of = serializers.IntegerField(allow_null=True, help_text="Of how many values it is the mean.")
    items = serializers.IntegerField(allow_null=True)


class FigureGroupSerializer(serializers.Serializer[object]):
    """Figures under a heading, "" for those that stand alone."""

    heading = serializers.CharField()
    rows = FigureRowSerializer(many=True)


class FiguresSerializer(serializers.Serializer[object]):
    """The figures of the protocol; `measured_at` is null until they have been measured."""

    measured_at = serializers.DateTimeField(allow_null=True)
    groups = FigureGroupSerializer(many=True)


class CardSerializer(serializers.Serializer[Card]):
    """A card of the board: what its picture shows, as a table."""

    key = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    header = serializers.ListField(child=serializers.CharField())
    rows = serializers.SerializerMethodField()
    notes = serializers.SerializerMethodField(help_text="Sentences.")

    @extend_schema_field(serializers.ListField(child=serializers.ListField(child=serializers.JSONField())))
    def get_rows(self, card: Card) -> list[list[Any]]:
        """Numbers as they are; all else as texts."""
        return [[_cell(value) for value in row] for row in card.rows]

    def get_notes(self, card: Card) -> list[str]:
        """What stands under the picture."""
        return [f"{note.bold} {note.rest}".strip() for note in card.notes]


def _cell(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float) else str(value)


class StandingSerializer(serializers.Serializer[object]):
    """How a project stands, in a word, and why that is said."""

    words = serializers.CharField()
    why = serializers.CharField()


class ProgressSerializer(serializers.Serializer[object]):
    """Tasks of the part."""

    total = serializers.IntegerField()
    done = serializers.IntegerField()
    open = serializers.IntegerField()
    frozen = serializers.IntegerField()
    disputed = serializers.IntegerField()


class PersonWorkSerializer(serializers.Serializer[object]):
    """What somebody has done in the part."""

    person = serializers.CharField(source="code")
    finished = serializers.IntegerField()
    skipped = serializers.IntegerField()
    ended = serializers.IntegerField(help_text="Finished, skipped, returned or expired.")
    paid_seconds = serializers.FloatField(source="paid")
    last = serializers.DateField(allow_null=True)


class BoardSerializer(serializers.Serializer[object]):
    """The board of a project."""

    state = StandingSerializer()
    progress = ProgressSerializer(source="numbers.progress")
    needs = serializers.IntegerField(source="needs.n", help_text="How much waits for a lead.")
    cards = CardSerializer(many=True)
    people = PersonWorkSerializer(source="numbers.people", many=True)
