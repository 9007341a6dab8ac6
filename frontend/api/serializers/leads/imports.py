"""Uploads and imports."""

from __future__ import annotations

from rest_framework import serializers

from annotation.imports import uploads
from annotation.imports.run import Mode
from annotation.models import Job, LineRemark, Upload
from frontend.api.paging import page_serializer
from frontend.api.sent import SentSerializer
from frontend.leads.imports import ImportProgress

MODES = [(str(mode), str(mode)) for mode in Mode]
WHAT = [("items", "items"), ("release", "release")]
LARGEST_CRC = 2**32 - 1


class UploadBeginSerializer(SentSerializer):
    """A file that will be sent in parts."""

    name = serializers.CharField(max_length=uploads.LONGEST_NAME)
    size = serializers.IntegerField(min_value=1, max_value=uploads.LONGEST, help_text="Bytes.")
    beginning = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST_CRC,
        help_text="The CRC-32 of the first 1,048,576 bytes, or of all if it is shorter.",
    )


class UploadSerializer(serializers.ModelSerializer[Upload]):
    """How much of a file has arrived. `checksum` is the CRC-32 of these bytes."""

    class Meta:
        model = Upload
        fields = ("uuid", "name", "size", "received", "checksum", "updated_at")
        read_only_fields = fields


UploadPageSerializer = page_serializer("UploadPageSerializer", UploadSerializer, "A page of uploads.")


class ImportAskSerializer(SentSerializer):
    """What is to be done with uploaded files: the choices of the page."""

    file = serializers.UUIDField(help_text="The upload.")
    beside = serializers.UUIDField(required=False, allow_null=True, help_text="A zip of pages or images that it names.")
    what = serializers.ChoiceField(
        choices=WHAT,
        default="items",
        help_text="`items` to be worked on, or a published `release` with its annotations.",
    )
    mode = serializers.ChoiceField(
        choices=MODES, default=str(Mode.ALL), help_text="Only `check`; import `all` lines or none; or the `good` lines."
    )
    split = serializers.CharField(
        required=False, allow_blank=True, max_length=40, help_text="For lines that name none."
    )
    domain = serializers.CharField(required=False, allow_blank=True, max_length=200, help_text="Of the texts of a zip.")


class ImportRowSerializer(serializers.ModelSerializer[Job]):
    """An import in the list. `total` is 0 while it is not known."""

    file = serializers.CharField(source="subject")
    mode = serializers.ChoiceField(source="report.asked.mode", choices=MODES)
    begun_at = serializers.DateTimeField(source="report.at")

    class Meta:
        model = Job
        fields = ("id", "file", "mode", "state", "done", "total", "begun_at", "finished_at", "undone_at")
        read_only_fields = fields


ImportPageSerializer = page_serializer("ImportPageSerializer", ImportRowSerializer, "A page of imports.")


class LineRemarkSerializer(serializers.ModelSerializer[LineRemark]):
    """What is said of a line: `field` is "" for the whole line, `says` the beginning of what is there.

    `count`: of how many lines or items it is said; the first of them is `line`.
    """

    class Meta:
        model = LineRemark
        fields = ("line", "field", "text", "says", "count")
        read_only_fields = fields


LineRemarkPageSerializer = page_serializer("LineRemarkPageSerializer", LineRemarkSerializer, "A page of refused lines.")


class ImportSerializer(serializers.Serializer[ImportProgress]):
    """How far an import is, and what came of it."""

    id = serializers.IntegerField(source="job.pk")
    file = serializers.CharField(source="job.subject")
    mode = serializers.ChoiceField(source="asked.mode", choices=MODES)
    state = serializers.ChoiceField(source="job.state", choices=Job.State.choices)
    step = serializers.ChoiceField(choices=[(name, name) for name in ("upload", "check", "insert", "end")])
    done = serializers.IntegerField(source="job.done", help_text="Lines or items of this step.")
    total = serializers.IntegerField(source="job.total", help_text="0 while it is not known.")
    seconds_left = serializers.FloatField(source="left", allow_null=True, help_text="Of this step; null if unknown.")
    waits_for = serializers.SerializerMethodField(help_text='A sentence, while it waits to begin; else "".')
    begun_at = serializers.DateTimeField(source="at")
    finished_at = serializers.DateTimeField(source="job.finished_at", allow_null=True)
    undone_at = serializers.DateTimeField(source="job.undone_at", allow_null=True)
    by = serializers.CharField(source="by.worker_code", default=None, allow_null=True, help_text="A worker code.")
    read = serializers.IntegerField(source="report.read", help_text="Lines that were read.")
    refused = serializers.IntegerField(source="report.refused", help_text="Lines that were refused.")
    read_until = serializers.IntegerField(
        source="report.read_until", help_text="The line at which reading stopped, as too many were refused; else 0."
    )
    items = serializers.IntegerField(source="report.result.items", default=None, allow_null=True)
    annotations = serializers.IntegerField(source="report.result.annotations", default=None, allow_null=True)
    error = serializers.CharField(source="job.error", help_text='Why it failed; "" otherwise.')
    can_be_undone = serializers.BooleanField()
    why_not_undo = serializers.CharField(source="stays", help_text='A sentence; "" if it can be, or nothing came in.')
    has_refused_file = serializers.BooleanField(source="has_lines")
    notes = LineRemarkSerializer(many=True, help_text="What was kept though it is odd: at most 50.")

    def get_waits_for(self, progress: ImportProgress) -> str:
        """What it waits for."""
        return progress.waits_for if progress.job.state == Job.State.QUEUED else ""
