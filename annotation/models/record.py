"""Annotations and the responses they are made of, events (append-only), and drafts (mutable, never released)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from annotation import randomness
from annotation.triggers.append_only import ImmutableModel

ALONE = "one"
"""The seat of somebody who annotates alone."""


class Purpose(models.TextChoices):
    """Why an annotation was made."""

    WORK = "work", _("Work")
    CHECK = "check", _("Check")
    QUIZ = "quiz", _("Quiz")
    STUDY = "study", _("Study")
    REFERENCE = "reference", _("Reference")
    IMPORT = "import", _("Import")
    TRIAL = "trial", _("Trial")
    JUDGEMENT = "judgement", _("Judgement")


RELEASED = (Purpose.WORK, Purpose.IMPORT)
"""The purposes of what releases contain, and of what is measured."""


ASIDE = (Purpose.TRIAL, Purpose.JUDGEMENT)
"""The purposes of what is no answer to an item: it counts nowhere, and is in no list of answers."""


class AnnotationsThatCount(models.Manager["Annotation"]):
    """All annotations but trials and judgements of answers: what every list, count and release begins with."""

    def get_queryset(self) -> models.QuerySet[Annotation]:
        return super().get_queryset().exclude(purpose__in=ASIDE)


class Annotation(models.Model):
    """One piece of work on an item, open or finished. Only `completed_at` (once) and the exclusion may change.

    `objects`, and those of an item, have no trials and no judgements; queries that come from other tables ask for the
    purpose. `exhibit`: what a judgement is about; `round` is then the number of the judgement of that by its author.
    """

    uuid = models.UUIDField(unique=True, default=randomness.handle, editable=False)
    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="annotations")
    # No index of its own: the unique index below begins with the author. A second one would tempt the planner to read
    # all of a person's work when one item is asked for.
    author = models.ForeignKey(
        "annotation.User", null=True, on_delete=models.PROTECT, related_name="annotations", db_index=False
    )
    activity = models.CharField(max_length=40)
    round = models.PositiveSmallIntegerField(default=1)
    purpose = models.CharField(max_length=20, choices=Purpose, default=Purpose.WORK)
    guidelines = models.ForeignKey(
        "annotation.GuidelineVersion", null=True, on_delete=models.PROTECT, related_name="annotations"
    )
    external_id = models.CharField(max_length=200, blank=True)
    position = models.PositiveIntegerField(default=0)
    job = models.ForeignKey("annotation.Job", null=True, on_delete=models.PROTECT, related_name="annotations")
    exhibit = models.ForeignKey(
        "annotation.Exhibit", null=True, on_delete=models.PROTECT, related_name="judgements", db_index=False
    )
    opened_at = models.DateTimeField()
    completed_at = models.DateTimeField(null=True)
    excluded_at = models.DateTimeField(null=True)
    exclusion_reason = models.CharField(max_length=200, blank=True)

    objects = AnnotationsThatCount()
    with_trials = models.Manager()  # noqa: DJ012 -- not a field

    class Meta:
        constraints = [
            # One index of all rows, which finds those of a person, too: a partial one for each kind would find none.
            models.UniqueConstraint(
                F("author"),
                F("item"),
                F("activity"),
                F("round"),
                F("purpose"),
                Coalesce("exhibit", 0),
                condition=Q(author__isnull=False),
                name="one_annotation_per_person_and_round",
            ),
            models.UniqueConstraint(
                fields=["exhibit", "author", "round"],
                condition=Q(exhibit__isnull=False),
                name="one_judgement_per_rater_and_repeat",
            ),
            models.CheckConstraint(
                condition=Q(purpose=Purpose.JUDGEMENT, exhibit__isnull=False)
                | (~Q(purpose=Purpose.JUDGEMENT) & Q(exhibit=None)),
                name="judgements_have_an_exhibit",
            ),
            models.UniqueConstraint(
                fields=["author", "item", "activity"],
                condition=Q(purpose=Purpose.TRIAL, completed_at__isnull=True),
                name="one_open_trial",
            ),
            models.CheckConstraint(
                condition=Q(excluded_at__isnull=True, exclusion_reason="")
                | (Q(excluded_at__isnull=False) & ~Q(exclusion_reason="")),
                name="excluded_needs_a_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["item"], condition=Q(excluded_at__isnull=False), name="excluded_annotations"),
            models.Index(
                fields=["completed_at", "item"], condition=Q(completed_at__isnull=False), name="annotations_by_end"
            ),
        ]


class Response(ImmutableModel):
    """One submission inside an annotation. Append-only: a change of mind is a further revision.

    `by_script`: its author sent it through the API, not from a page of the site.
    """

    annotation = models.ForeignKey(Annotation, on_delete=models.PROTECT, related_name="responses")
    author = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="responses")
    stage = models.CharField(max_length=40)
    turn = models.PositiveSmallIntegerField(default=0)
    revision = models.PositiveSmallIntegerField(default=1)
    seat = models.CharField(max_length=20, default=ALONE, db_default=ALONE)
    schema = models.CharField(max_length=80)
    payload = models.JSONField()
    guidelines = models.ForeignKey(
        "annotation.GuidelineVersion", null=True, on_delete=models.PROTECT, related_name="responses"
    )
    seconds = models.FloatField(null=True)
    submission_key = models.UUIDField(null=True)
    body_sha256 = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    by_script = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["annotation", "stage", "turn", "revision"], name="one_response_per_revision"
            ),
            models.UniqueConstraint(
                fields=["author", "submission_key"],
                condition=Q(submission_key__isnull=False),
                name="one_response_per_submission_key",
            ),
        ]
        indexes = [
            models.Index(fields=["author", "annotation"], condition=~Q(seat=ALONE), name="answers_made_together"),
            models.Index(fields=["author", "annotation"], condition=Q(by_script=True), name="answers_by_script"),
        ]


class Draft(models.Model):
    """What a person has entered but not committed. `seq` counts the saves of one page load (`client`)."""

    annotation = models.ForeignKey(Annotation, on_delete=models.PROTECT, related_name="drafts")
    author = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="drafts")
    stage = models.CharField(max_length=40)
    turn = models.PositiveSmallIntegerField(default=0)
    client = models.UUIDField()
    seq = models.PositiveIntegerField()
    data = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotation", "author", "stage", "turn"], name="one_draft_per_step"),
        ]


class Event(ImmutableModel):
    """One line of history. No foreign keys: it outlives its subject. `subject` looks like `annotation:<uuid>`."""

    at = models.DateTimeField()
    by = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=60)
    subject = models.CharField(max_length=80)
    project_id = models.BigIntegerField(null=True, db_index=True)
    data = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["subject"], name="events_of_a_subject")]
