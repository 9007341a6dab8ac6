"""Projects, as the API tells of them."""

from __future__ import annotations

from rest_framework import serializers

from annotation.models import Project, Role


class ProjectSerializer(serializers.ModelSerializer[Project]):
    """A project in which the token's person has a role; `roles` are theirs."""

    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices), read_only=True)

    class Meta:
        model = Project
        fields = ("slug", "title", "protocol", "created_at", "archived_at", "roles")
        read_only_fields = fields


class ProjectPageSerializer(serializers.Serializer[object]):
    """A page of projects."""

    next = serializers.CharField(allow_null=True, help_text="The cursor of the next page; null on the last one.")
    results = ProjectSerializer(many=True)
