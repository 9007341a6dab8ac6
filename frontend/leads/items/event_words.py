"""What events about an item are called in its history, and the reasons given in them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.models import Event
from annotation.models.case import FlagReason

UNTOLD = ("screen.traced",)
"""Kinds that are left out: what the screen measured while somebody worked; the times at the stages sum it up."""

WORDS: dict[str, Any] = {
    "item.reported": _("Reported"),
    "item.unfrozen": _("Reports settled, open again"),
    "item.cancelled": _("Withdrawn"),
    "item.brought_back": _("Brought back"),
    "item.tried": _("Began to try the task, which counts nowhere"),
    "item.set_aside": _("Set aside for an exam"),
    "item.returned": _("Returned to the work"),
    "task.open": _("Free places: it can be given to people"),
    "task.full": _("No place is free"),
    "task.frozen": _("Frozen: nobody is given it"),
    "task.settling": _("Its annotations are compared"),
    "task.disputed": _("Disputed: the annotations agree too little"),
    "task.done": _("Done"),
    "task.cancelled": _("No one will get it"),
    "assignment.claimed": _("Got it to work on"),
    "assignment.leased": _("Got it again"),
    "assignment.submitted": _("Finished it"),
    "assignment.rejected": _("The place was freed for somebody else"),
    "assignment.skipped": _("Skipped it"),
    "assignment.returned": _("Returned it"),
    "assignment.revoked": _("It was taken away"),
    "assignment.expired": _("The time for it ended"),
    "assignment.late": _("Finished it too late for a place"),
    "assignment.replayed": _("Sent the same again, which changed nothing"),
    "assignment.taken_over": _("Went on in another tab or on another device"),
    "assignment.left": _("Left a partner"),
    "assignment.more_time": _("Asked a partner for more time"),
    "annotation.excluded": _("Excluded"),
    "annotation.restored": _("Included again"),
    "annotation.reopened": _("Sent back to its author"),
    "annotation.not_reopened": _("Taken back from its author"),
    "annotation.taken_back": _("Took back what was sent"),
    "annotation.reconsidered": _("Would now say something else"),
    "case.opened": _("A case for a lead to decide"),
    "case.ended": _("Flagged so seriously that the work ended"),
    "case.upheld": _("Case upheld"),
    "case.dismissed": _("Case dismissed"),
    "case.open": _("Decision about a case taken back"),
    "adjudication.decided": _("Dispute decided"),
    "adjudication.taken_back": _("Decision of a dispute taken back"),
    "chat.written": _("Wrote in the side chat"),
    "chat.answered": _("Answered in the side chat"),
    "chat.settled": _("Settled what was asked in the side chat"),
}

REASONS: dict[str, Any] = {
    "hard": _("Too hard for me"),
    "topic": _("Not my subject"),
    "language": _("Not my language"),
    "sensitive": _("I would rather not"),
    "broken": _("It doesn’t display properly"),
    "other": _("Something else"),
    "late": _("it came late"),
    "adopted": _("somebody else’s late answer took the place"),
    "cancelled": _("the item was withdrawn"),
    "set_aside": _("it was set aside for an exam"),
    "membership_ended": _("the membership was ended"),
    "partner_left": _("the partner left"),
    "reported": _("it was reported"),
    "not_shown": _("it could not be shown"),
    "undo": _("a skip was undone"),
}


def event_in_words(event: Event) -> str:
    """What happened, in words; the kind itself if there are none."""
    if event.kind == "task.more_asked":
        said = ngettext("Asked for %(n)s more annotation", "Asked for %(n)s more annotations", event.data["count"])
        return said % {"n": event.data["count"]}
    if event.kind == "task.more_unasked":
        said = ngettext("Asked for %(n)s fewer again", "Asked for %(n)s fewer again", event.data["count"])
        return said % {"n": event.data["count"]}
    return str(WORDS.get(event.kind, event.kind))


def reason(event: Event) -> str:
    """The reason that was given, in words if it was chosen from a list; "" if there is none."""
    given = event.data.get("reason") or event.data.get("text") or ""
    if event.kind == "item.reported" and given in FlagReason.values:
        return str(FlagReason(given).label)
    return str(REASONS.get(given, given))
