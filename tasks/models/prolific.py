"""A project's study on Prolific: its submissions as they were last read, bonuses, and groups of participants."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Study(models.Model):
    """A study on Prolific from which people come to a project, until `ended_at`.

    `sealed_token`: the API token of whoever has the study, encrypted (`connecting.seal`); "" once it has ended.
    `currency`: in which the study pays, as the lead says. `name`, `status`, `reward` (in hundredths), `address` and
    `codes` (a list of completion codes) are what Prolific said at `read_at`.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="studies")
    study_id = models.CharField(max_length=60)
    sealed_token = models.TextField(blank=True)
    currency = models.CharField(max_length=3)
    name = models.CharField(max_length=300, blank=True)
    status = models.CharField(max_length=40, blank=True)
    reward = models.PositiveIntegerField(default=0)
    address = models.TextField(blank=True)
    codes = models.JSONField(default=list)
    read_at = models.DateTimeField(null=True)
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="studies_connected")
    at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project"], condition=Q(ended_at=None), name="one_study_of_a_project"),
            models.CheckConstraint(condition=Q(ended_at=None) | Q(sealed_token=""), name="no_token_of_an_ended_study"),
        ]


class Submission(models.Model):
    """Somebody's part in a study, as Prolific said when it was last read; `status` is one of Prolific's words.

    `person`: who came to the project with that id, None as long as nobody has. `approval_at`: when it was last sent to
    be approved.
    """

    AWAITING, APPROVED = "AWAITING REVIEW", "APPROVED"
    REWARDED = frozenset({AWAITING, APPROVED})
    """States in which the reward of the study is paid, or will be with the approval."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="submissions")
    person = models.ForeignKey("annotation.User", null=True, on_delete=models.CASCADE, related_name="submissions")
    submission_id = models.CharField(max_length=60)
    participant_id = models.CharField(max_length=60)
    status = models.CharField(max_length=40)
    code = models.CharField(max_length=80, blank=True)
    started_at = models.DateTimeField(null=True)
    completed_at = models.DateTimeField(null=True)
    approval_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "submission_id"], name="one_row_per_submission")]


class Bonus(models.Model):
    """Bonuses that a lead confirmed together; `settlement` is that of the payments which stand for them in the ledger.

    `bulk_id`: what Prolific calls them once they are set up. `charged`: what they cost with fees, in hundredths, as it
    said then. `next_at`: nobody does anything about them before. `asked_at`: when they were last told to be paid, which
    is done once only. `problem`: what Prolific said, or that it said nothing.
    """

    class State(models.TextChoices):
        CONFIRMED = "confirmed", _("Confirmed")
        SET_UP = "set_up", _("Set up on Prolific, not paid yet")
        PAYING = "paying", _("Sent to be paid, no answer yet")
        PAID = "paid", _("Paid")
        REFUSED = "refused", _("Refused by Prolific: not paid")
        UNCLEAR = "unclear", _("Unclear: look at Prolific")
        NOT_PAID = "not_paid", _("Not paid")

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="bonuses")
    settlement = models.UUIDField(unique=True)
    state = models.CharField(max_length=20, choices=State, default=State.CONFIRMED)
    bulk_id = models.CharField(max_length=80, blank=True)
    charged = models.DecimalField(null=True, max_digits=14, decimal_places=2)
    next_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="bonuses_confirmed")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["next_at"], condition=Q(state__in=("confirmed", "set_up", "paying")),
                                name="bonuses_under_way")]  # fmt: skip


S = Bonus.State
BONUS_MOVES: dict[Bonus.State, frozenset[Bonus.State]] = {
    S.CONFIRMED: frozenset({S.SET_UP, S.REFUSED, S.NOT_PAID}),
    # Back to set up only if it is certain that the request to pay has not left this machine, or was turned away.
    S.SET_UP: frozenset({S.PAYING, S.NOT_PAID}),
    S.PAYING: frozenset({S.SET_UP, S.PAID, S.REFUSED, S.UNCLEAR}),
    S.PAID: frozenset(),
    S.REFUSED: frozenset(),
    S.UNCLEAR: frozenset({S.PAID, S.NOT_PAID}),
    S.NOT_PAID: frozenset(),
}
UNDER_WAY = (S.CONFIRMED, S.SET_UP, S.PAYING)
"""States in which the job that sends has something to do."""
FAILED = (S.REFUSED, S.NOT_PAID)
"""States in which no money has moved: what was owed is owed again."""


class BonusPart(models.Model):
    """One person's bonus, `cents` (hundredths of the currency), and how much of the `reward` was taken off before.

    `before`: the bonuses that Prolific had for this submission when these were set up. `found`: it has this one, too.
    """

    bonus = models.ForeignKey(Bonus, on_delete=models.PROTECT, related_name="parts")
    person = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="bonus_parts")
    submission_id = models.CharField(max_length=60, blank=True)
    cents = models.PositiveIntegerField()
    reward = models.PositiveIntegerField(default=0)
    before = models.JSONField(default=list)
    found = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bonus", "person"], name="one_part_of_a_bonus_per_person"),
            models.CheckConstraint(condition=Q(cents__gt=0), name="a_bonus_is_more_than_nothing"),
        ]


class StudyGroup(models.Model):
    """A participant group on Prolific that holds who has a qualification; `group_id` is Prolific's.

    `sent`: a hash of the participants that were last sent, at `sent_at`, and how many they were; `problem`: why the
    last time did not work, "" if it did. `next_at`: nothing is sent before.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="groups")
    qualification = models.ForeignKey("qualification.Qualification", on_delete=models.PROTECT, related_name="+")
    group_id = models.CharField(max_length=60)
    name = models.CharField(max_length=300, blank=True)
    sent = models.CharField(max_length=64, blank=True)
    sent_at = models.DateTimeField(null=True)
    members = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True)
    next_at = models.DateTimeField()
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="study_groups")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "qualification"], name="one_group_of_a_qualification"),
            models.UniqueConstraint(fields=["study", "group_id"], name="one_qualification_of_a_group"),
        ]
