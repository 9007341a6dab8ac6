"""Disputes: what waits for a decision, the answers side by side, and what was decided."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from frontend.api.paging import page_serializer
from frontend.api.sent import QuerySerializer
from frontend.api.serializers.leads.courses import DecisionReasonSerializer

STATES = [(state, state) for state in ("open", "decided")]


class DisputeQuerySerializer(QuerySerializer):
    """Which disputes are listed."""

    state = serializers.ChoiceField(choices=STATES, default="open")
    activity = serializers.SlugField(required=False, max_length=40)


class DisputeSerializer(serializers.Serializer[Any]):
    """An item whose annotations in an activity disagree. `open_for`: seconds, of one that is open."""

    item = serializers.IntegerField(source="item_id")
    activity = serializers.CharField()
    prompt = serializers.CharField(help_text="What the item asks.")
    agreement = serializers.FloatField(source="agreed", allow_null=True, help_text="From 0 to 1.")
    open_for = serializers.FloatField(allow_null=True)


DisputePageSerializer = page_serializer("DisputePageSerializer", DisputeSerializer, "A page of disputes.")


class SideAnswerSerializer(serializers.Serializer[Any]):
    """What is said at a step; `differs` from the most common answer there, which `n` annotations give."""

    step = serializers.CharField()
    payload = serializers.JSONField()
    n = serializers.IntegerField()
    differs = serializers.BooleanField()


class SideSerializer(serializers.Serializer[Any]):
    """Annotations that say the same, under a letter; `references` of them were written to decide, and are not in `n`.

    Whose they are is told by the item.
    """

    letter = serializers.CharField()
    annotations = serializers.ListField(source="uuids", child=serializers.UUIDField())
    n = serializers.IntegerField()
    references = serializers.IntegerField()
    answers = SideAnswerSerializer(many=True)


class DisputeDecisionSerializer(serializers.Serializer[Any]):
    """The decision that counts: for which annotation, by whom, when and why; `why_not_undo` it, in a sentence."""

    annotation = serializers.UUIDField(source="row.annotation.uuid")
    by = serializers.CharField(source="row.by.worker_code", help_text="A worker code.")
    at = serializers.DateTimeField(source="row.at")
    reason = serializers.CharField(source="row.reason")
    why_not_undo = serializers.CharField()


class TakenBackSerializer(serializers.Serializer[Any]):
    """A decision that was taken back: its `reason`, and when and `why` it was."""

    reason = serializers.CharField()
    back_at = serializers.DateTimeField()
    why = serializers.CharField()


class WholeDisputeSerializer(serializers.Serializer[Any]):
    """A dispute: `open`, `decided`, or `asked` if more annotations of it are awaited.

    `why_not`, `why_not_more`: why you can't decide, or ask for more; `asked`: why more were asked for before.
    """

    item = serializers.IntegerField()
    activity = serializers.CharField()
    state = serializers.ChoiceField(choices=[*STATES, ("asked", "asked")])
    prompt = serializers.CharField(help_text="What the item asks.")
    agreement = serializers.FloatField(allow_null=True, help_text="From 0 to 1.")
    least = serializers.FloatField(allow_null=True, help_text="The agreement that its queue wants.")
    n = serializers.IntegerField(help_text="Annotations that are compared.")
    excluded = serializers.IntegerField()
    unfinished = serializers.IntegerField()
    sides = SideSerializer(many=True)
    why_not = serializers.CharField()
    why_not_more = serializers.CharField()
    asked = serializers.ListField(child=serializers.CharField())
    decision = DisputeDecisionSerializer(allow_null=True)
    taken_back = TakenBackSerializer(many=True)


class DecideDisputeSerializer(DecisionReasonSerializer):
    """For which annotation: one of a side."""

    annotation = serializers.UUIDField()
