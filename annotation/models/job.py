"""Background and long-running work: its progress and heartbeat, kept even if the message broker loses it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """One background job. Rows of an import are visible only once its job is done."""

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
