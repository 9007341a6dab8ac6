"""Shared work: places in a lobby, pauses, messages of a chat."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q

from annotation.triggers.append_only import ImmutableModel
from tasks.models.states import IN_LOBBY, TicketState
from tasks.models.work import Assignment


class Ticket(models.Model):
    """One visit of one person to the lobby of an activity, from entering to being seated, leaving or being removed.

    `in_line_since` is the place in line: `entered_at`, until a missed offer sends the person to the end. `seen_at`: the
    last poll of their page; `active_at`: their last input on it. `offer`: shared by the people who were found for each
    other, with `offered_at`, and `confirmed_at` once this person has said that they are here. `ended_at` of somebody
    who went away is when they were last seen. `reason`: why they left or were sent away, see `tasks.pairs.lobby`.
    `prefers`: the seat that they would rather have, "" for either.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, related_name="tickets")
    activity = models.CharField(max_length=40)
    annotator = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="tickets")
    state = models.CharField(max_length=20, choices=TicketState, default=TicketState.WAITING)
    reason = models.CharField(max_length=20, default="")
    entered_at = models.DateTimeField()
    in_line_since = models.DateTimeField()
    seen_at = models.DateTimeField()
    active_at = models.DateTimeField(null=True)
    misses = models.PositiveSmallIntegerField(default=0)
    prefers = models.CharField(max_length=20, default="")
    offer = models.UUIDField(null=True)
    offered_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, null=True, related_name="ticket")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["annotator"], condition=Q(state__in=IN_LOBBY), name="one_open_ticket_per_person"
            ),
            models.CheckConstraint(
                condition=Q(state=TicketState.OFFERED, offer__isnull=False, offered_at__isnull=False)
                | Q(~Q(state=TicketState.OFFERED), offer=None, offered_at=None, confirmed_at=None),
                name="an_offer_is_complete",
            ),
            models.CheckConstraint(
                condition=Q(state__in=IN_LOBBY, ended_at=None) | Q(~Q(state__in=IN_LOBBY), ended_at__isnull=False),
                name="a_ticket_ends_once",
            ),
            models.CheckConstraint(
                condition=Q(assignment=None) | Q(state=TicketState.SEATED), name="only_the_seated_have_work"
            ),
        ]
        indexes = [
            models.Index(
                fields=["project", "activity", "in_line_since"], condition=Q(state__in=IN_LOBBY), name="people_in_line"
            ),
            models.Index(
                fields=["project", "activity", "ended_at"],
                condition=Q(state=TicketState.SEATED),
                name="waits_of_seated",
            ),
        ]

    def waited(self, now: datetime) -> timedelta:
        """How long the person has been in the lobby, or was until they were seated or went away."""
        return max((self.ended_at or now) - self.entered_at, timedelta())


class Pause(models.Model):
    """A time in which no clock of shared work runs: a lead pauses a project, or the server was down (`project`: null).

    `ends_at` is in the future while it lasts, and set to the present when a lead ends it early.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.PROTECT, null=True, related_name="pauses")
    began_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gte=F("began_at")), name="a_pause_ends_after_it_begins"),
        ]
        indexes = [
            models.Index(fields=["ends_at"], name="pauses_by_end"),
        ]


class ChatMessage(ImmutableModel):
    """A message in the side chat of shared work: about the guidelines, and never a part of the data.

    `number`: 1, 2, 3 in each chat. `seat`: the author's, "" for a lead. `to_lead`: a lead is asked for an answer.
    `key`: the page's idempotency key.
    """

    LONGEST = 500
    """Characters of a text."""

    # No indexes of their own: the unique ones below begin with these columns.
    annotation = models.ForeignKey(
        "annotation.Annotation", on_delete=models.PROTECT, related_name="chat", db_index=False
    )
    author = models.ForeignKey("annotation.User", on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()
    text = models.CharField(max_length=LONGEST)
    to_lead = models.BooleanField()
    key = models.UUIDField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotation", "number"], name="chat_messages_are_numbered"),
            models.UniqueConstraint(fields=["author", "key"], name="a_chat_message_is_stored_once"),
            models.CheckConstraint(condition=~Q(text=""), name="chat_messages_have_a_text"),
        ]
        indexes = [
            models.Index(fields=["annotation"], condition=Q(to_lead=True), name="messages_to_leads"),
        ]
