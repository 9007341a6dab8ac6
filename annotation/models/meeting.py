"""The meeting of a judging round: what its raters say together, beside their first marks, which never change.

Rows are only added: what somebody thinks now is their latest row. Once the round has ended the database takes no more.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from annotation.models.judging import Exhibit, Rater
from annotation.triggers.append_only import ImmutableModel


class AgendaStep(ImmutableModel):
    """Something that the chair has done with an exhibit; the latest step of a kind that can be undone counts."""

    class Kind(models.TextChoices):
        """Taken up: the room is there now. Pulled in: all marks are the same, and somebody doubts them."""

        TAKEN_UP = "taken_up", _("Taken up")
        PULLED_IN = "pulled_in", _("Pulled in")
        PARKED = "parked", _("Parked")
        RESUMED = "resumed", _("Resumed")
        REVEALED = "revealed", _("Names revealed")

    exhibit = models.ForeignKey(Exhibit, on_delete=models.PROTECT, related_name="agenda_steps")
    kind = models.CharField(max_length=20, choices=Kind)
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()


class MeetingMark(ImmutableModel):
    """What a rater would mark an exhibit with now."""

    exhibit = models.ForeignKey(Exhibit, on_delete=models.PROTECT, related_name="meeting_marks")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="meeting_marks")
    mark = models.CharField(max_length=20)
    at = models.DateTimeField()


class Argument(ImmutableModel):
    """Something said about an exhibit; `key`: of its form, so that a double click says it once."""

    LONGEST = 2000
    """Characters of one."""

    exhibit = models.ForeignKey(Exhibit, on_delete=models.PROTECT, related_name="arguments")
    author = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    text = models.CharField(max_length=LONGEST)
    key = models.UUIDField(unique=True)
    at = models.DateTimeField()


class Proposal(ImmutableModel):
    """A mark that the chair proposes for an exhibit, with the reason; `number`: 1, 2, 3 ..., the last one stands."""

    LONGEST = 2000
    """Characters of a reason."""

    exhibit = models.ForeignKey(Exhibit, on_delete=models.PROTECT, related_name="proposals")
    number = models.PositiveIntegerField()
    mark = models.CharField(max_length=20)
    reason = models.CharField(max_length=LONGEST, blank=True)
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["exhibit", "number"], name="proposals_are_numbered")]


class Confirmation(ImmutableModel):
    """A voter confirms a proposal (`holds`), or takes that back; their latest row of it counts."""

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="confirmations")
    rater = models.ForeignKey(Rater, on_delete=models.PROTECT, related_name="confirmations")
    holds = models.BooleanField()
    at = models.DateTimeField()


class Consensus(ImmutableModel):
    """The proposal that every voter has confirmed; `voters`: how many they were. The database checks that they did."""

    exhibit = models.OneToOneField(Exhibit, on_delete=models.PROTECT, related_name="consensus")
    proposal = models.OneToOneField(Proposal, on_delete=models.PROTECT, related_name="consensus")
    voters = models.PositiveSmallIntegerField()
    at = models.DateTimeField()


class Removal(ImmutableModel):
    """A lead has removed a voter, for all that had no consensus then."""

    LONGEST = 300
    """Characters of a reason."""

    rater = models.OneToOneField(Rater, on_delete=models.PROTECT, related_name="removal")
    reason = models.CharField(max_length=LONGEST)
    by = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()


OF_EXHIBITS = (AgendaStep, MeetingMark, Argument, Proposal, Consensus)
"""The tables of a meeting that name their exhibit."""
