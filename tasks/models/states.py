"""The states of queues, tasks, assignments, lobby tickets and partners, and their tables of transitions."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class QueueState(models.TextChoices):
    """Only an open queue hands out work."""

    DRAFT = "draft", _("Draft")
    OPEN = "open", _("Open")
    PAUSED = "paused", _("Paused")
    CLOSED = "closed", _("Closed")


QUEUE_MOVES = {
    QueueState.DRAFT: frozenset({QueueState.OPEN}),
    QueueState.OPEN: frozenset({QueueState.PAUSED, QueueState.CLOSED}),
    QueueState.PAUSED: frozenset({QueueState.OPEN, QueueState.CLOSED}),
    QueueState.CLOSED: frozenset({QueueState.OPEN}),
}


class TaskState(models.TextChoices):
    """`full`: every slot is held, by work in progress or submitted."""

    OPEN = "open", _("Open")
    FULL = "full", _("Full")
    FROZEN = "frozen", _("Frozen")
    SETTLING = "settling", _("Settling")
    DISPUTED = "disputed", _("Disputed")
    DONE = "done", _("Done")
    CANCELLED = "cancelled", _("Cancelled")


T = TaskState
TASK_MOVES = {
    T.OPEN: frozenset({T.FULL, T.FROZEN, T.CANCELLED}),
    T.FULL: frozenset({T.OPEN, T.FROZEN, T.SETTLING, T.DISPUTED, T.DONE, T.CANCELLED}),
    T.FROZEN: frozenset({T.OPEN, T.FULL, T.SETTLING, T.DONE, T.CANCELLED}),
    T.SETTLING: frozenset({T.DISPUTED, T.DONE}),
    T.DISPUTED: frozenset({T.DONE, T.OPEN, T.CANCELLED}),
    T.DONE: frozenset({T.OPEN, T.DISPUTED, T.CANCELLED}),
    T.CANCELLED: frozenset({T.OPEN, T.DONE, T.DISPUTED}),
}


class AssignmentState(models.TextChoices):
    """`leased` and `submitted` hold their slot; in all other states it has been given up."""

    LEASED = "leased", _("In work")
    SUBMITTED = "submitted", _("Submitted")
    REJECTED = "rejected", _("Rejected")
    SKIPPED = "skipped", _("Skipped")
    RETURNED = "returned", _("Returned")
    REVOKED = "revoked", _("Revoked")
    EXPIRED = "expired", _("Expired")
    LATE = "late", _("Late")


A = AssignmentState
HOLDS_SLOT = (A.LEASED, A.SUBMITTED)
"""These states occupy a slot of the task."""
LEAVES_ITEM_FREE = (A.RETURNED, A.EXPIRED, A.REVOKED)
"""After these states, the same person may be given the item again."""
ASSIGNMENT_MOVES = {
    A.LEASED: frozenset({A.SUBMITTED, A.SKIPPED, A.RETURNED, A.EXPIRED, A.REVOKED}),
    A.EXPIRED: frozenset({A.LEASED, A.SUBMITTED, A.LATE, A.SKIPPED, A.RETURNED}),
    A.SKIPPED: frozenset({A.LEASED}),
    A.SUBMITTED: frozenset({A.REJECTED, A.LEASED}),
    A.REJECTED: frozenset({A.SUBMITTED}),
    A.RETURNED: frozenset(),
    A.REVOKED: frozenset(),
    A.LATE: frozenset(),
}


class TicketState(models.TextChoices):
    """A person in the lobby: `offered` is the ready check, `missed` an offer that they let pass."""

    WAITING = "waiting", _("Waiting")
    OFFERED = "offered", _("Partner found")
    MISSED = "missed", _("Missed")
    SEATED = "seated", _("Seated")
    LEFT = "left", _("Left")
    REMOVED = "removed", _("Removed")


K = TicketState
IN_LOBBY = (K.WAITING, K.OFFERED, K.MISSED)
"""In these states the ticket is open; a person has at most one open ticket."""
TICKET_MOVES = {
    K.WAITING: frozenset({K.OFFERED, K.LEFT}),
    K.OFFERED: frozenset({K.SEATED, K.MISSED, K.WAITING, K.LEFT}),
    K.MISSED: frozenset({K.WAITING, K.REMOVED}),
    K.SEATED: frozenset(),
    K.LEFT: frozenset(),
    K.REMOVED: frozenset(),
}


class PartnerState(models.TextChoices):
    """The partner in shared work, as the other side sees them; told by times (`tasks.pairs.presence`), never stored.

    The last three: the work is over, because they have left, because everybody was lost, or by a flag.
    """

    HERE = "here", _("Here")
    UNSURE = "unsure", _("Perhaps interrupted")
    LOST = "lost", _("Lost")
    GONE = "gone", _("Gone")
    ALL_GONE = "all_gone", _("All gone")
    STOPPED = "stopped", _("Stopped")


P = PartnerState
PARTNER_MOVES = {
    P.HERE: frozenset({P.UNSURE, P.GONE, P.STOPPED}),
    P.UNSURE: frozenset({P.HERE, P.LOST, P.GONE, P.STOPPED}),
    P.LOST: frozenset({P.HERE, P.GONE, P.ALL_GONE, P.STOPPED}),
    P.GONE: frozenset(),
    P.ALL_GONE: frozenset(),
    P.STOPPED: frozenset(),
}
