"""What leads decide: about cases, items and annotations."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.models import Case, CaseKind, CaseState
from frontend.api.paging import page_serializer
from frontend.api.sent import QuerySerializer, SentSerializer
from frontend.leads.items.bulk_decisions import ItemOutcome
from tasks.corrections import more_annotations

REASON: dict[str, Any] = {
    "default": "",
    "max_length": 1000,
    "allow_blank": True,
    "help_text": "In words, 200 characters at most. Only unfreezing needs none.",
}
ON_ITEMS = (
    "exclude",
    "restore",
    "replace",
    "reopen",
    "more",
    "withdraw",
    "bring_back",
    "unfreeze",
    "set_aside",
    "return",
)
ON_ANNOTATIONS = ("exclude", "restore", "replace", "reopen", "take_back_reopening")


class CaseQuerySerializer(QuerySerializer):
    """Which cases are listed."""

    state = serializers.ChoiceField(choices=CaseState.choices, default=CaseState.OPEN)
    kind = serializers.ChoiceField(choices=CaseKind.choices, required=False)


class CaseSerializer(serializers.ModelSerializer[Case]):
    """A flag on what somebody said, finished work that counts only if it is accepted, or somebody who left partners.

    `who` flagged it, `whose` answer it is, or who left: worker codes. `ends`: the flag ended the work.
    """

    item = serializers.IntegerField(source="annotation.item_id")
    annotation = serializers.UUIDField(source="annotation.uuid")
    activity = serializers.CharField(source="annotation.activity")
    stage = serializers.CharField(source="response.stage", default=None, allow_null=True)
    turn = serializers.IntegerField(source="response.turn", default=None, allow_null=True)
    payload = serializers.JSONField(source="response.payload", default=None, allow_null=True)
    who = serializers.CharField(source="author.worker_code", default=None, allow_null=True)
    whose = serializers.SerializerMethodField()

    class Meta:
        model = Case
        fields = (
            *("id", "kind", "state", "item", "annotation", "activity", "stage", "turn", "payload"),
            *("who", "whose", "reason", "text", "ends", "at"),
        )
        read_only_fields = fields

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_whose(self, case: Case) -> str | None:
        """A worker code; null if several people wrote it, or it was imported."""
        whose = case.response.author if case.response else case.about
        return whose.worker_code if whose else None


CasePageSerializer = page_serializer("CasePageSerializer", CaseSerializer, "A page of cases.")


class CaseDecisionSerializer(SentSerializer):
    """Uphold or dismiss a case, or open it again. Of finished work, to uphold is to accept it."""

    to = serializers.ChoiceField(choices=CaseState.choices)
    reason = serializers.CharField(**REASON)


class ItemDecisionSerializer(SentSerializer):
    """What is to be done with an item, or with the finished work on it.

    `exclude`, `restore`, `replace` and `reopen` are about its annotations, all or those of `person`; `more` asks for
    `count` more.
    """

    action = serializers.ChoiceField(choices=[(one, one) for one in ON_ITEMS])
    person = serializers.SlugField(required=False, allow_blank=True, max_length=20, help_text="A worker code.")
    count = serializers.IntegerField(required=False, min_value=1, max_value=more_annotations.MOST)
    reason = serializers.CharField(**REASON)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """More of them needs a number."""
        if values["action"] == "more" and "count" not in values:
            raise serializers.ValidationError({"count": self.fields["count"].error_messages["required"]})
        return values


class RefusedSerializer(serializers.Serializer[object]):
    """For how many annotations it was not done, and why."""

    why = serializers.CharField()
    n = serializers.IntegerField()


class ItemOutcomeSerializer(serializers.Serializer[ItemOutcome]):
    """For how many annotations it was done, or 1 for the item itself; 0 if it could not be done."""

    done = serializers.IntegerField()
    refused = serializers.SerializerMethodField()

    @extend_schema_field(RefusedSerializer(many=True))
    def get_refused(self, outcome: ItemOutcome) -> list[dict[str, Any]]:
        """By the reason."""
        return [{"why": gettext(why), "n": n} for why, n in outcome.refused.items()]


class AnnotationDecisionSerializer(SentSerializer):
    """What is to be done with finished work.

    It is excluded from later releases, or no longer; somebody else gets its place (`replace`); it goes back to its
    author (`reopen`), or that is taken back.
    """

    action = serializers.ChoiceField(choices=[(one, one) for one in ON_ANNOTATIONS])
    reason = serializers.CharField(**REASON)
