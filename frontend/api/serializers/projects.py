"""Projects, as the API tells of them."""

from __future__ import annotations

from rest_framework import serializers

from annotation.models import Project, Role
from frontend.api.paging import page_serializer


class ProjectSerializer(serializers.ModelSerializer[Project]):
    """A project in which the token's person has a role; `roles` are theirs."""

    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices), read_only=True)

    class Meta:
        model = Project
        fields = ("slug", "title", "protocol", "created_at", "archived_at", "roles")
        read_only_fields = fields


ProjectPageSerializer = page_serializer("ProjectPageSerializer", ProjectSerializer, "A page of projects.")
