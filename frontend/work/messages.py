"""Flash messages shown when an assignment ends and no next one is opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.models import User
from annotation.protocol import Activity
from frontend.wording import noun_of_activity
from tasks.engine import skip_and_return
from tasks.engine.submitting import CommitOutcome
from tasks.models import Assignment
from tasks.models.states import AssignmentState

GIVEN_BACK = _("Stopped for now. Your draft is kept, and for 24 hours this is offered to you first.")
ENDED_BEFORE = _(
    "Its time had already ended. Your draft is kept, and for 24 hours this is offered to you first, "
    "unless someone has taken it."
)
LATE = {
    "taken": _(
        "You sent this after its time had ended, and someone else had taken your place. "
        "It is kept beside theirs as a surplus answer."
    ),
    "cancelled": _("You sent this after its time had ended, and a lead had withdrawn it from the project. It is kept."),
    "barred": _(
        "You sent this after its time had ended, and you have since begun other work that can’t be combined with it. "
        "It is kept."
    ),
}
"""Messages about late work that got no slot, by the reason."""
ADOPTED = _("You sent this after its time had ended. Your place was still free, so it counts.")
SENT_BEFORE = _("The same answer had been sent already, from another tab or device. It counts once.")
REPLACED = _("Replaced: your second answer counts now.")
STOPPED = _("Sent. Nothing else is held for you.")
STOPPED_HERE = _("Sent. What else you have open is listed below.")
FINISHED_TOGETHER = _("You have finished this together. Thank you.")
ENOUGH = _("This ended without your partner. What you both sent is enough, so it counts as finished. Thank you.")
LEFT_ENOUGH = _("You have left. What you both sent is enough, so it counts as finished. Thank you.")
TAKEN_BACK = _("Your partner has taken back what they sent last. What you had begun for it was not sent.")
PARTNER_IS_BACK = _("Your partner is there again, so nothing was ended. You can go on together.")
PLACE_IS_GONE = _("Your old place in line was kept for an hour. You can find a partner as at any other time.")
OFFER_IS_OVER = _("This offer ended before you had both said that you are here. You are in line again, where you were.")
SEATED = _("A partner was found in this moment, so your work has begun.")
NOT_ALONE = _("You can’t go on by yourself just now. You kept your place in line.")
NOT_IN_LINE = _("You were not in line any more.")
NOT_NEEDED = _("More time is not needed now: it is not your turn, or nobody waits for you yet.")
COUNTS = _("The time that you spent on it counts.")
PAID = _("The time that you spent on it counts and is paid.")


def late_message(outcome: CommitOutcome, *, pay: bool) -> str:
    """The message about work that was finished after its time; "" for other work. `pay`: the project states a rate."""
    if not outcome.late:
        return str(ADOPTED) if outcome.adopted else ""
    return f"{LATE[outcome.late]} {PAID if pay else COUNTS}"


def stopped_message(person: User) -> Any:
    """The message after *Finish and stop*, which says whether the person still holds other work."""
    others = Assignment.objects.filter(annotator=person, state=AssignmentState.LEASED, task__exhibit=None)
    return STOPPED_HERE if others.exists() else STOPPED


def block_message(assignment: Assignment, activity: Activity, done: Mapping[str, Any]) -> Any:
    """The message after the last available piece of a block; "" if `late_message` was shown for it already.

    A block whose time has ended is not done: others may have taken the rest of it.
    """
    if done.get("late"):
        return ""
    if done.get("reported"):
        return _("Reported. Thank you.")
    words = {"items": noun_of_activity(activity).many, "whole": gettext(activity.whole)}
    undone = assignment.lease.assignments.filter(annotation__completed_at=None)
    if undone.exclude(state=AssignmentState.SKIPPED).exists():
        if done.get("adopted") or not done.get("sent"):
            return gettext("The time for the other %(items)s about this %(whole)s has ended.") % words
        return gettext("Your answer counts. The time for the other %(items)s about this %(whole)s has ended.") % words
    return gettext("All %(items)s about this %(whole)s are done. Thank you.") % words


def search_message(done: Mapping[str, Any]) -> Any:
    """The message above the search for the next work; "" after a skip, for which the page has its own, with Undo."""
    if done.get("late"):
        return ""
    if done.get("reported"):
        return _("Reported. Thank you. Choose another one.")
    return _("Sent. Choose the next one.") if done.get("sent") else ""


def pair_message(done: Mapping[str, Any]) -> Any:
    """The message at home after work that several people did together."""
    if done.get("late"):
        return ""
    if done.get("reported"):
        return _("Reported. Thank you.")
    if done.get("counts"):
        return LEFT_ENOUGH
    return FINISHED_TOGETHER if done.get("sent") else _("You have left.")


def after_skip(skipped: Assignment) -> dict[str, Any]:
    """`ask`: where to post what is wrong after many skips in a row ("": don't ask); `many`: how many that is.

    `counts`: what was left counts as finished.
    """
    many = skip_and_return.skips_in_a_row(skipped) > skip_and_return.MANY
    counts = skipped.state == AssignmentState.SUBMITTED
    ask = reverse("explain", args=[skipped.uuid]) if many else ""
    return {"ask": ask, "many": skip_and_return.MANY, "counts": counts}


def flash_once(request: HttpRequest, words: Any) -> None:
    """Say this on the next page, once, however often the page of work that has ended is asked for."""
    waiting = messages.get_messages(request)
    if words and str(words) not in map(str, waiting):
        messages.success(request, words)
    if isinstance(waiting, BaseStorage):
        waiting.used = False  # they have been looked at, and not shown
