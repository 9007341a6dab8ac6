"""Items with their annotations, as the API tells leads of them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotation.models import Annotation, Item, Purpose, Response
from frontend.api.paging import page_serializer
from frontend.api.serializers.quick import CodeField, RowSerializer
from frontend.leads.items.filters import STATES, Filter


class ItemQuerySerializer(serializers.Serializer[Filter]):
    """What a list of items can be filtered by: the same as on the page of items."""

    q = serializers.CharField(required=False, max_length=200, help_text="Words of the text, as in the search field.")
    split = serializers.CharField(required=False, max_length=40)
    state = serializers.ChoiceField(required=False, choices=[(key, str(key)) for key in STATES])
    activity = serializers.SlugField(required=False, max_length=40)
    queue = serializers.IntegerField(required=False, min_value=1, max_value=10**12)
    person = serializers.SlugField(required=False, max_length=20, help_text="A worker code.")
    since = serializers.DateField(required=False, help_text="The first day (UTC) on which somebody finished it.")
    until = serializers.DateField(required=False, help_text="The last such day.")
    skipped = serializers.BooleanField(required=False)
    reported = serializers.BooleanField(required=False)
    excluded = serializers.BooleanField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Names that the list does not know are refused, so that a misspelt filter does not return everything."""
        known = {*self.fields, "cursor", "limit"}
        if unknown := sorted(set(self.initial_data) - known):
            raise serializers.ValidationError({name: _("There is no such filter.") for name in unknown})
        return attrs


class ResponseSerializer(RowSerializer[Response]):
    """One submission: what was answered at a stage, or in a turn. The latest revision counts."""

    author = CodeField(help_text="A worker code.")

    class Meta:
        model = Response
        fields = ("stage", "turn", "revision", "seat", "author", "payload", "seconds", "created_at")
        read_only_fields = fields


class AnnotationSerializer(RowSerializer[Annotation]):
    """An annotation with all its submissions in order; `author` is null if several made it, or it was imported."""

    author = CodeField(help_text="A worker code.")
    purpose = serializers.ChoiceField(choices=Purpose.choices)
    responses = ResponseSerializer(many=True)

    class Meta:
        model = Annotation
        fields = (
            *("uuid", "activity", "round", "purpose", "author", "external_id", "opened_at", "completed_at"),
            *("excluded_at", "exclusion_reason", "responses"),
        )
        read_only_fields = fields


class AnnotatedItemSerializer(RowSerializer[Item]):
    """An item with its annotations, finished and open. `payload` is what its protocol imported, such as a text."""

    payload = serializers.JSONField()
    root = serializers.IntegerField(source="root_id", allow_null=True)
    annotations = AnnotationSerializer(many=True)

    class Meta:
        model = Item
        fields = ("id", "kind", "external_id", "split", "payload", "root", "set_aside_at", "annotations")
        read_only_fields = fields


ItemPageSerializer = page_serializer(
    "ItemPageSerializer", AnnotatedItemSerializer, "A page of items with their annotations."
)
