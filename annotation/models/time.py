"""Working time: spans measured by the person's screen, and the person's own amendments."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.triggers.append_only import ImmutableModel


class SpanKind(models.TextChoices):
    """Active: with input; reading: without input, but within the reading time allowed; idle: visible beyond that.

    Meeting: in the room of a judging round's meeting, where people listen, within five minutes of an input.
    """

    ACTIVE = "active", _("Active")
    READING = "reading", _("Reading")
    IDLE = "idle", _("Idle")
    MEETING = "meeting", _("Meeting")


COUNTED = (SpanKind.ACTIVE, SpanKind.READING, SpanKind.MEETING)
"""Kinds that count as work: reading and meetings are paid."""


class TimeSpan(ImmutableModel):
    """`seconds` of one kind at a stage, from `begun_at` (server clock). Spans of one person never overlap.

    `meeting`: the round in whose meeting it was; it belongs to no piece of work then.
    """

    annotator = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="time_spans")
    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="time_spans")
    annotation = models.ForeignKey(
        "annotation.Annotation", null=True, on_delete=models.PROTECT, related_name="time_spans"
    )
    meeting = models.ForeignKey(
        "annotation.JudgingRound", null=True, on_delete=models.PROTECT, related_name="meeting_spans", db_index=False
    )
    stage = models.CharField(max_length=40, blank=True)
    kind = models.CharField(max_length=20, choices=SpanKind)
    begun_at = models.DateTimeField()
    seconds = models.FloatField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(seconds__gt=0), name="time_span_lasts")]
        indexes = [
            models.Index(fields=["annotator", "begun_at"], name="time_spans_of_a_person"),
            models.Index(fields=["meeting"], condition=Q(meeting__isnull=False), name="time_spans_of_a_meeting"),
        ]


class TimeAmendment(ImmutableModel):
    """Minutes that a person adds to a day of a project (or takes off, if negative), and why. Spans stay unchanged."""

    annotator = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="time_amendments")
    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="time_amendments")
    day = models.DateField()
    minutes = models.SmallIntegerField()
    note = models.CharField(max_length=500)
    submission_key = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(minutes=0) & ~Q(note=""), name="amendment_says_how_much_and_why"),
            models.UniqueConstraint(fields=["annotator", "submission_key"], name="one_amendment_per_submission_key"),
        ]
        indexes = [models.Index(fields=["annotator", "day"], name="amendments_of_a_person")]


class Payment(ImmutableModel):
    """A lead's word that `seconds` of a person's time in a project are paid; or, as `undoes`, that they are not.

    `begins_at` (None: from the beginning) and `ends_at`: the period that the lead looked at. `rate`: the words of the
    project at that time; `amount` is rounded to the cent. `settlement`: the form, which may be about many people. An
    undoing has the same figures, with `seconds` and `amount` below zero.
    """

    LONGEST_NOTE = 500

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="payments")
    annotator = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="payments")
    begins_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField()
    seconds = models.IntegerField()
    rate = models.CharField(max_length=200)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    currency = models.CharField(max_length=3)
    paid_on = models.DateField()
    note = models.CharField(max_length=LONGEST_NOTE, blank=True)
    settlement = models.UUIDField()
    undoes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="undone_by")
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="payments_marked")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(undoes=None, seconds__gt=0) | Q(undoes__isnull=False, seconds__lt=0),
                name="an_undoing_takes_seconds_back",
            ),
            models.UniqueConstraint(
                fields=["annotator", "settlement"], condition=Q(undoes=None), name="one_payment_per_form_and_person"
            ),
        ]
        indexes = [models.Index(fields=["project", "annotator"], name="payments_of_a_project")]
