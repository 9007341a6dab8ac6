"""Tables of courses: what is taught and asked for a qualification, who takes it, and the attempts at its exam."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation import randomness
from annotation.triggers.append_only import ImmutableModel


class CourseVersion(models.Model):
    """One version of the course for a qualification: a draft that leads edit, or published and then frozen.

    `content`: `qualification.courses.content.Course` as JSON. `corrections`: right options that were corrected after
    publishing, by the key of the item; grading reads them in place of those of the content. `sha256`: the hash of the
    content, once it is published. `edits` counts the changes, so that none overwrites another. A course that is closed
    (`closed_at`) can be finished by those who have begun it.
    """

    qualification = models.ForeignKey(
        "qualification.Qualification", on_delete=models.PROTECT, related_name="course_versions"
    )
    version = models.PositiveIntegerField()
    content = models.JSONField()
    corrections = models.JSONField(default=dict)
    edits = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["qualification", "version"], name="one_course_of_a_version"),
            models.UniqueConstraint(
                fields=["qualification"], condition=Q(published_at=None), name="one_draft_of_a_course"
            ),
        ]


class CoursePicture(ImmutableModel):
    """A picture that a project has for its courses, whose items name it by the sha-256 of its document."""

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="course_pictures")
    document = models.ForeignKey("annotation.Document", on_delete=models.PROTECT, related_name="course_pictures")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "document"], name="one_course_picture_of_a_document"),
        ]


class Enrolment(models.Model):
    """Somebody takes a version of a course: since when, and when they had read its guidelines."""

    course = models.ForeignKey(CourseVersion, on_delete=models.PROTECT, related_name="enrolments")
    user = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="enrolments")
    begun_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["course", "user"], name="one_enrolment_in_a_course")]


class TutorialAnswer(ImmutableModel):
    """What somebody answered to an item of a tutorial, any number of times; `points` is a fraction as text, of 1."""

    enrolment = models.ForeignKey(Enrolment, on_delete=models.PROTECT, related_name="tutorial_answers")
    item = models.CharField(max_length=60)
    answer = models.JSONField()
    points = models.CharField(max_length=40)
    at = models.DateTimeField()


class AttemptPurpose(models.TextChoices):
    """An exam counts; a lead's trial of it counts nowhere."""

    EXAM = "exam", _("Exam")
    TRIAL = "trial", _("Trial")


class AttemptState(models.TextChoices):
    """`expired`: the time ended with nothing answered."""

    OPEN = "open", _("Open")
    GRADED = "graded", _("Graded")
    EXPIRED = "expired", _("Expired")


ATTEMPT_MOVES = {
    AttemptState.OPEN: frozenset({AttemptState.GRADED, AttemptState.EXPIRED}),
    AttemptState.GRADED: frozenset[AttemptState](),
    AttemptState.EXPIRED: frozenset[AttemptState](),
}


class Outcome(models.TextChoices):
    """What follows from an attempt."""

    ADMITTED = "admitted", _("Passed")
    EXTRA_TRAINING = "extra_training", _("Extra training")
    AGAIN = "again", _("Another attempt")
    NOT_ADMITTED = "not_admitted", _("Not passed")


class Attempt(models.Model):
    """One sitting of an exam; it counts from when it was issued.

    `sha256`: the hash of the course then, as a trial may be of a draft. `form`: the drawn items in their order, each
    `[block, item]`. `ends_at`: the end of the time, None for no limit;
    `extended_at`: when the person took the extension that the course allows. `marks`: the points of each place of the
    form, as fractions in text, once it is graded; `blocks`: the result of each block (`grading.BlockResult` as JSON).
    A voided attempt does not count, whatever its state.
    """

    uuid = models.UUIDField(unique=True)
    course = models.ForeignKey(CourseVersion, on_delete=models.PROTECT, related_name="attempts")
    qualification = models.ForeignKey("qualification.Qualification", on_delete=models.PROTECT, related_name="attempts")
    user = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="attempts")
    purpose = models.CharField(max_length=20, choices=AttemptPurpose, default=AttemptPurpose.EXAM)
    state = models.CharField(max_length=20, choices=AttemptState, default=AttemptState.OPEN)
    outcome = models.CharField(max_length=20, choices=Outcome, blank=True)
    n = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    form = models.JSONField()
    seed = models.CharField(max_length=16)
    issued_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    extended_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    marks = models.JSONField(default=list)
    blocks = models.JSONField(default=list)
    voided_at = models.DateTimeField(null=True)
    voided_why = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["qualification", "user", "purpose"],
                condition=Q(state="open", voided_at=None),
                name="one_open_attempt",
            ),
            models.UniqueConstraint(fields=["qualification", "user", "purpose", "n"], name="attempts_are_numbered"),
        ]
        indexes = [
            models.Index(fields=["ends_at"], condition=Q(state="open"), name="attempts_that_end"),
        ]


class AttemptAnswer(ImmutableModel):
    """The answer at a place of a form, counted from 0; the first is the last."""

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="answers")
    place = models.PositiveSmallIntegerField()
    answer = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["attempt", "place"], name="one_answer_at_a_place")]


class AttemptDraft(models.Model):
    """What somebody has chosen at a place of a form without sending it; it becomes the answer when the time ends.

    `saved_at` later than the time and its grace: kept unseen.
    """

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="drafts")
    place = models.PositiveSmallIntegerField()
    answer = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["attempt", "place"], name="one_draft_at_a_place")]


class ExtraTime(ImmutableModel):
    """Minutes that a lead gives a person for every attempt that is issued from then on; the latest counts."""

    qualification = models.ForeignKey(
        "qualification.Qualification", on_delete=models.PROTECT, related_name="extra_times"
    )
    user = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="extra_exam_times")
    minutes = models.PositiveSmallIntegerField()
    reason = models.TextField()
    by = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()


class Try(models.Model):
    """One person's hold on an annotation of their own that no queue has given them.

    `uuid` is what its addresses name; whose it is and since when are those of its annotation. `attempt` and
    `form_place`: the place of the form of an exam that it answers. `enrolment` and `course_item`: the item of a
    tutorial (its key) that it answers. Without either it is a lead's trial of an item. `client` and `place` as those
    of an assignment: the page load that may write, and where on the page they last were.
    `put_away_at`: since when its holder does not want to see it among their open ones.
    """

    uuid = models.UUIDField(unique=True, default=randomness.handle, editable=False)
    annotation = models.OneToOneField("annotation.Annotation", on_delete=models.PROTECT, related_name="held_try")
    attempt = models.ForeignKey("qualification.Attempt", null=True, on_delete=models.PROTECT, related_name="tries")
    form_place = models.PositiveSmallIntegerField(null=True)
    enrolment = models.ForeignKey("qualification.Enrolment", null=True, on_delete=models.PROTECT, related_name="tries")
    course_item = models.CharField(max_length=60, blank=True)
    client = models.UUIDField(null=True)
    place = models.JSONField(null=True)
    put_away_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["attempt", "form_place"], condition=Q(attempt__isnull=False), name="one_try_at_a_place"
            ),
        ]
