"""Releases: what one would contain, the job that builds it, and what is in it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.models import Job, Release
from frontend.api.paging import page_serializer
from frontend.api.sent import SentSerializer
from frontend.leads.releases import listed, shown
from frontend.leads.releases.forms import TIMES
from frontend.leads.releases.listed import Build

TIME_CHOICES = [(key, key) for key in TIMES]


class ReleaseAskSerializer(SentSerializer):
    """The choices of the page."""

    format = serializers.CharField(
        required=False, max_length=60, help_text="The project’s first one if it is left out."
    )
    split = serializers.ListField(
        child=serializers.CharField(max_length=40, allow_blank=True),
        required=False,
        allow_empty=False,
        max_length=200,
        help_text="Every split that is not sequestered if it is left out.",
    )
    partial = serializers.BooleanField(default=False, help_text="Items that lack annotations too, if they have one.")
    times = serializers.ChoiceField(required=False, choices=TIME_CHOICES, help_text="How fine the times are.")
    name_writers = serializers.BooleanField(default=False, help_text="By a pseudonym.")
    until = serializers.DateTimeField(required=False, allow_null=True, help_text="Nothing later counts.")


class LeftOutSerializer(serializers.Serializer[object]):
    """So many of what are left out of a split, and why."""

    split = serializers.CharField()
    n = serializers.IntegerField()
    why = serializers.CharField()
    of_items = serializers.BooleanField(help_text="Items; otherwise annotations.")


class ReleaseCountSerializer(serializers.Serializer[dict[str, Any]]):
    """What a release would contain. `job` counts it if that takes long; until it has, the other fields are null."""

    job = serializers.IntegerField(allow_null=True)
    state = serializers.ChoiceField(choices=Job.State.choices)
    items = serializers.IntegerField(allow_null=True)
    annotations = serializers.IntegerField(allow_null=True)
    people = serializers.IntegerField(allow_null=True)
    counts = serializers.DictField(child=serializers.DictField(), allow_null=True, help_text="By split.")
    left_out = LeftOutSerializer(many=True, allow_null=True)
    error = serializers.CharField()


class RefusedItemSerializer(serializers.Serializer[list[str]]):
    """An item that the format can’t represent."""

    kind = serializers.CharField()
    external_id = serializers.CharField()
    why = serializers.CharField()

    def to_representation(self, row: Any) -> dict[str, Any]:
        """From what the job keeps: kind, name and reason."""
        return dict(zip(("kind", "external_id", "why"), row, strict=True))


class BuildSerializer(serializers.Serializer[Build]):
    """The job that builds a release; `version` is null until it has."""

    id = serializers.IntegerField(source="job.pk")
    state = serializers.ChoiceField(source="job.state", choices=Job.State.choices)
    done = serializers.IntegerField(source="job.done")
    total = serializers.IntegerField(source="job.total", help_text="0 while it is not known.")
    seconds_left = serializers.FloatField(source="left", allow_null=True)
    waits_for = serializers.SerializerMethodField(help_text='A sentence, while it waits to begin; else "".')
    version = serializers.IntegerField(source="job.report.result.version", default=None, allow_null=True)
    finished_at = serializers.DateTimeField(source="job.finished_at", allow_null=True)
    error = serializers.CharField(source="job.error", help_text='Why it failed; "" otherwise.')
    refused = RefusedItemSerializer(source="job.report.refused", many=True, default=[])

    def get_waits_for(self, build: Build) -> str:
        """What it waits for."""
        return build.waits_for if build.job.state == Job.State.QUEUED else ""


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """A release in the list."""

    format = serializers.CharField(source="recipe.format")
    by = serializers.CharField(source="by.worker_code", default=None, allow_null=True, help_text="A worker code.")

    class Meta:
        model = Release
        fields: tuple[str, ...] = ("version", "state", "at", "by", "format", "manifest_sha256", "members_sha256")
        read_only_fields = fields


ReleasePageSerializer = page_serializer("ReleasePageSerializer", ReleaseSerializer, "A page of releases.")


class ReleaseFileSerializer(serializers.Serializer[dict[str, Any]]):
    """A file of a release. `sha256` is that of the file, `unpacked_sha256` that of the text in a packed one."""

    name = serializers.CharField()
    records = serializers.IntegerField(allow_null=True)
    size = serializers.IntegerField(allow_null=True, help_text="Bytes.")
    sha256 = serializers.CharField()
    unpacked_sha256 = serializers.CharField(source="unpacked")


class RetractionSerializer(serializers.Serializer[object]):
    """When a release was retracted, and why."""

    at = serializers.DateTimeField()
    reason = serializers.CharField()


class WholeReleaseSerializer(ReleaseSerializer):
    """A release with its recipe, counts by split, and files; a retracted one has no files to download."""

    recipe = serializers.DictField()
    counts = serializers.SerializerMethodField()
    files = serializers.SerializerMethodField()
    retracted = serializers.SerializerMethodField()

    class Meta(ReleaseSerializer.Meta):
        fields = (*ReleaseSerializer.Meta.fields, "recipe", "counts", "files", "retracted")
        read_only_fields = fields

    @extend_schema_field(serializers.DictField(child=serializers.DictField()))
    def get_counts(self, release: Release) -> dict[str, Any]:
        """By split, as in the manifest."""
        found: dict[str, Any] = listed.manifest_of(release).get("counts", {})
        return found

    @extend_schema_field(ReleaseFileSerializer(many=True))
    def get_files(self, release: Release) -> Any:
        """What can be downloaded."""
        if release.state != Release.State.READY:
            return []
        return ReleaseFileSerializer(shown.files_of(release, listed.manifest_of(release)), many=True).data

    @extend_schema_field(RetractionSerializer(allow_null=True))
    def get_retracted(self, release: Release) -> Any:
        """Null if it is not."""
        found = shown.retraction_of(release)
        return RetractionSerializer(found).data if found else None


class ReasonSerializer(SentSerializer):
    """Why something is done."""

    reason = serializers.CharField(max_length=2000, allow_blank=True)
