"""Judging rounds: a sealed draw of exhibits that raters judge, each alone, under a rubric.

Answers of models to a project's items are uploaded in an official layout: judged beside people's, never their data.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation import randomness
from annotation.triggers.append_only import ImmutableModel


class PredictionSet(ImmutableModel):
    """The predictions of one system, from one file.

    `format`: the key of the layout it was read by; `sha256`: of the file. Raters never see `system`.
    """

    LONGEST = 80
    """Characters of the name of a system."""

    uuid = models.UUIDField(unique=True, default=randomness.handle, editable=False)
    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="prediction_sets")
    system = models.CharField(max_length=LONGEST)
    format = models.CharField(max_length=40)
    split = models.CharField(max_length=40, blank=True)
    sha256 = models.CharField(max_length=64)
    added_by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "system"], name="a_system_once_in_a_project"),
        ]


class Prediction(ImmutableModel):
    """What a system answered to an item. `place`: 0, 1, 2 ... of its answers, or the turn of a conversation.

    `payload`: as the reader of the set's format leaves it.
    """

    set = models.ForeignKey(PredictionSet, on_delete=models.PROTECT, related_name="predictions", db_index=False)
    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="predictions")
    place = models.PositiveSmallIntegerField(default=0)
    payload = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["set", "item", "place"], name="predicted_once_by_a_system"),
        ]


class RoundState(models.TextChoices):
    """A draft can be changed; nothing of what was sealed can."""

    DRAFT = "draft", _("Draft")
    SEALED = "sealed", _("In judgement")
    MEETING = "meeting", _("In the meeting")
    CLOSED = "closed", _("Closed")
    STOPPED = "stopped", _("Stopped")


R = RoundState
ROUND_MOVES = {
    R.DRAFT: frozenset({R.SEALED}),
    R.SEALED: frozenset({R.MEETING, R.CLOSED, R.STOPPED}),
    R.MEETING: frozenset({R.CLOSED, R.STOPPED}),
    R.CLOSED: frozenset(),
    R.STOPPED: frozenset(),
}


class JudgingRound(models.Model):
    """People judge a sealed draw of exhibits under a rubric. `round` alone is the fresh start of a task elsewhere.

    `rubric`: `annotation.judging.rubrics.Rubric`; `rules`: `annotation.judging.rules.Rules`; `population`: how many
    exhibits there were to draw from; `sha256`: over all of these and the ordered exhibits, see `judging.sealing`.
    `chair`: who leads the meeting, one of the raters or a lead without a vote. `stopped_why`: "" unless it was stopped.
    """

    LONGEST = 120
    """Characters of a title."""
    LONGEST_WHY = 300
    """Characters of why it was stopped."""

    uuid = models.UUIDField(unique=True, default=randomness.handle, editable=False)
    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="judging_rounds")
    title = models.CharField(max_length=LONGEST)
    state = models.CharField(max_length=20, choices=RoundState, default=RoundState.DRAFT)
    rubric = models.JSONField()
    rules = models.JSONField()
    seed = models.CharField(max_length=40)
    population = models.PositiveIntegerField(null=True)
    sha256 = models.CharField(max_length=64, blank=True)
    made_by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    sealed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    chair = models.ForeignKey("annotation.User", null=True, on_delete=models.PROTECT, related_name="+")
    stopped_why = models.CharField(max_length=LONGEST_WHY, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state=RoundState.DRAFT, sealed_at=None, sha256="")
                | (~Q(state=RoundState.DRAFT) & Q(sealed_at__isnull=False) & ~Q(sha256="")),
                name="a_round_is_sealed_with_its_hash",
            ),
        ]


class ExhibitUse(models.TextChoices):
    """What an exhibit is drawn for. Only the marks of drawn ones are results; spares replace defects."""

    DRAWN = "drawn", _("Judged")
    PRACTICE = "practice", _("For practice")
    SPARE = "spare", _("Spare")


class Exhibit(ImmutableModel):
    """One thing to be judged, as it was when the round was sealed: `shown` is all that raters see of it.

    `place`: 0, 1, 2 ... in the sealed order. Of an answer to an item, `annotation` with its first `responses`
    responses, and the turn of a conversation; or a `prediction`. `same_as`: one before it that looks the same, which
    raters judge in its place.
    """

    round = models.ForeignKey(JudgingRound, on_delete=models.PROTECT, related_name="exhibits", db_index=False)
    place = models.PositiveIntegerField()
    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="exhibits")
    annotation = models.ForeignKey(
        "annotation.Annotation", null=True, on_delete=models.PROTECT, related_name="exhibited"
    )
    prediction = models.ForeignKey(
        "annotation.Prediction", null=True, on_delete=models.PROTECT, related_name="exhibited"
    )
    turn = models.PositiveSmallIntegerField(default=0)
    responses = models.PositiveIntegerField(default=0)
    use = models.CharField(max_length=10, choices=ExhibitUse, default=ExhibitUse.DRAWN)
    same_as = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="copies")
    shown = models.JSONField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "place"], name="exhibits_are_in_order"),
            models.UniqueConstraint(fields=["round", "item", "annotation", "turn"], name="exhibited_once_in_a_round"),
            models.UniqueConstraint(fields=["round", "prediction", "turn"], name="predictions_exhibited_once"),
            models.CheckConstraint(
                condition=Q(annotation=None) | Q(prediction=None), name="an_exhibit_is_of_a_person_or_a_system"
            ),
        ]


class Rater(models.Model):
    """Somebody who judges all exhibits of a round but those that they are left out of.

    `number`: 1, 2, 3 ..., by which results name them. `locked_at`: when they were done; from then on the database
    refuses any further response of theirs.
    """

    round = models.ForeignKey(JudgingRound, on_delete=models.PROTECT, related_name="raters", db_index=False)
    person = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="rated_rounds")
    number = models.PositiveSmallIntegerField()
    named_at = models.DateTimeField()
    locked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "person"], name="a_rater_once_in_a_round"),
            models.UniqueConstraint(fields=["round", "number"], name="raters_are_numbered"),
        ]


class Defect(ImmutableModel):
    """A drawn exhibit that is not judged, as a lead said before anybody had marked it; a spare takes its place."""

    LONGEST = 300
    """Characters of the reason."""

    exhibit = models.OneToOneField(Exhibit, on_delete=models.PROTECT, related_name="defect")
    replaced_by = models.OneToOneField(Exhibit, null=True, on_delete=models.PROTECT, related_name="replaces")
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    why = models.CharField(max_length=LONGEST)


class Recusal(ImmutableModel):
    """Somebody who looked at an item's answers side by side after the seal, and so judges no exhibit of it any more."""

    round = models.ForeignKey(JudgingRound, on_delete=models.PROTECT, related_name="recusals", db_index=False)
    person = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="recusals")
    item = models.ForeignKey("annotation.Item", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "person", "item"], name="recused_once_from_an_item"),
        ]
