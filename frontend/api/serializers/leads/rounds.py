"""Judging rounds."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.models import JudgingRound


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


class RoundPageSerializer(serializers.Serializer[object]):
    """A page of rounds."""

    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page; null on the last one.")
    results = RoundSerializer(many=True)


class WholeRoundSerializer(RoundSerializer):
    """A round with its rubric and its rules."""

    rubric = serializers.JSONField()
    rules = serializers.JSONField()

    class Meta(RoundSerializer.Meta):
        fields = (*RoundSerializer.Meta.fields, "rubric", "rules", "population")
        read_only_fields = fields


class RoundResultsSerializer(serializers.Serializer[dict[str, Any]]):
    """What was sealed, and what was found: the file of results of the page."""

    results = serializers.JSONField()
