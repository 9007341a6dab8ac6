"""Qualifications of a project, and who is granted them: worker codes only."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from frontend.api.paging import page_serializer, results_serializer
from frontend.api.sent import QuerySerializer, SentSerializer
from frontend.leads.qualifications import DECISIONS, ListedQualification
from qualification import granting
from qualification.models import Grant, GrantOrigin, GrantState, Qualification

REASON: dict[str, Any] = {
    "default": "",
    "max_length": 1000,
    "allow_blank": True,
    "help_text": "In words, 200 characters at most.",
}
GIVING: dict[str, Any] = {"help_text": "A new UUID of yours, by which it can be undone; the same one gives it once."}


class QualificationSerializer(serializers.Serializer[ListedQualification]):
    """A qualification, the activities that need it, how many people have it, and how many work there without it."""

    progress = frozenset({"active", "suspended", "lacking"})

    key = serializers.CharField(source="row.key")
    title = serializers.CharField(source="row.title")
    about = serializers.CharField(source="row.about", help_text="Markdown.")
    activities = serializers.SerializerMethodField(help_text="Their keys.")
    active = serializers.IntegerField(help_text="Grants.")
    suspended = serializers.IntegerField(help_text="Grants.")
    lacking = serializers.IntegerField(help_text="People who work where it is needed and never had it.")

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_activities(self, one: ListedQualification) -> list[str]:
        """In the order of the protocol."""
        return granting.required_by(one.row)


QualificationsSerializer = results_serializer(
    "QualificationsSerializer", QualificationSerializer, "All of them, by title."
)


class QualificationWordsSerializer(SentSerializer):
    """What it is called, what it says, and which activities need it; what is left out stays."""

    title = serializers.CharField(required=False, max_length=120)
    about = serializers.CharField(
        required=False, allow_blank=True, max_length=Qualification.LONGEST_ABOUT, help_text="Markdown."
    )
    activities = serializers.ListField(
        required=False, child=serializers.SlugField(max_length=40), max_length=100, help_text="Their keys."
    )


class NewQualificationSerializer(QualificationWordsSerializer):
    """A new qualification, and whether those who work there already are admitted, or finish what they hold."""

    title = serializers.CharField(max_length=120)
    present = serializers.ChoiceField(choices=[("admit", "admit"), ("finish", "finish")])
    reason = serializers.CharField(**REASON)


class GrantQuerySerializer(QuerySerializer):
    """Which grants are listed."""

    state = serializers.ChoiceField(choices=GrantState.choices, required=False)


class GrantSerializer(serializers.ModelSerializer[Grant]):
    """A grant: who has it, by what, why, and what was decided last. `giving` is that of the call or form that gave it;
    `undone`: revoked by undoing that, which says nothing about the person.
    """

    person = serializers.CharField(source="user.worker_code")
    state = serializers.ChoiceField(choices=GrantState.choices)
    origin = serializers.ChoiceField(choices=GrantOrigin.choices)
    by = serializers.CharField(source="by.worker_code", default=None, allow_null=True)
    giving = serializers.UUIDField(source="submission_key")
    decided_by = serializers.CharField(source="decided_by.worker_code", default=None, allow_null=True)

    class Meta:
        model = Grant
        fields = (
            *("id", "person", "state", "origin", "reason", "by", "at", "giving"),
            *("decided_at", "decided_by", "decided_why", "undone"),
        )
        read_only_fields = fields


GrantPageSerializer = page_serializer("GrantPageSerializer", GrantSerializer, "A page of grants.")


GrantsSerializer = results_serializer(
    "GrantsSerializer", GrantSerializer, "Grants that were given, or taken back, together."
)


class AdmitSerializer(SentSerializer):
    """Why it is given."""

    reason = serializers.CharField(**REASON)
    giving = serializers.UUIDField(**GIVING)


class GiveSerializer(AdmitSerializer):
    """To whom it is given, members by their worker codes or all who have worked in an activity, and why."""

    people = serializers.ListField(child=serializers.SlugField(max_length=20), default=list, max_length=1000)
    worked_in = serializers.SlugField(default="", allow_blank=True, max_length=40, help_text="The key of an activity.")

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Somebody has to be named."""
        if not values["people"] and not values["worked_in"]:
            raise serializers.ValidationError({"people": [_("Name at least one person, or choose an activity.")]})
        return values


class UndoGivingSerializer(SentSerializer):
    """What was given together."""

    giving = serializers.UUIDField()


class GrantDecisionSerializer(SentSerializer):
    """What is decided about a grant. A revoked one stays so: the qualification is given anew."""

    action = serializers.ChoiceField(choices=[(name, name) for name in DECISIONS])
    reason = serializers.CharField(**REASON)
