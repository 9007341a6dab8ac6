"""Background and long-running work and its leases; files that leads upload, and what an import says of their lines."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """One background job. Rows of an import are visible only once its job is done, until it is undone (`undone_at`).

    `dismissed_at`: when a lead said that its failure needs nobody any more.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("Queued")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="jobs")
    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=200)
    state = models.CharField(max_length=20, choices=State, default=State.QUEUED)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)
    dismissed_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    key = models.CharField(max_length=120, unique=True)
    report = models.JSONField(default=dict)
    error = models.TextField(blank=True)


class JobLease(models.Model):
    """The right to do some long work, as the only process (`annotation.engine.job_leases`). `holder`: "" if free."""

    name = models.CharField(max_length=200, primary_key=True)
    holder = models.CharField(max_length=200, blank=True)
    until = models.DateTimeField()


S = Job.State
JOB_MOVES = {
    S.QUEUED: frozenset({S.RUNNING, S.CANCELLED}),
    S.RUNNING: frozenset({S.DONE, S.FAILED, S.QUEUED, S.CANCELLED}),
    S.DONE: frozenset(),
    S.FAILED: frozenset(),
    S.CANCELLED: frozenset(),
}


class Upload(models.Model):
    """A file that arrives in parts: `received` of its `size` bytes are stored, and `checksum` is the CRC-32 of those.

    `beginning`, the CRC-32 of its first part, tells whether a file that is chosen again is the same one.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True)
    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="uploads")
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="uploads")
    name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField()
    beginning = models.PositiveBigIntegerField()
    received = models.PositiveBigIntegerField(default=0)
    checksum = models.PositiveBigIntegerField(default=0)
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "by", "name", "size", "beginning"], name="one_upload_of_each_file_and_person"
            ),
            models.CheckConstraint(
                condition=models.Q(received__lte=models.F("size")), name="an_upload_ends_with_its_file"
            ),
        ]

    @property
    def is_whole(self) -> bool:
        """Whether all of the file has arrived."""
        return self.received == self.size


class LineRemark(models.Model):
    """What the import of a file says about one line: why it is refused, or what was kept of it though it is odd.

    `field` is empty for the whole line; `says` is the beginning of what the field has. What is said of several lines or
    items is kept once, with the first of them and how many they are (`count`).
    """

    job = models.ForeignKey("annotation.Job", on_delete=models.CASCADE, related_name="remarks")
    refused = models.BooleanField()
    line = models.PositiveBigIntegerField()
    field = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    says = models.CharField(max_length=200, blank=True)
    count = models.PositiveIntegerField(default=1, db_default=1)

    class Meta:
        indexes = [models.Index(fields=["job", "refused", "line", "id"], name="remarks_in_order")]
