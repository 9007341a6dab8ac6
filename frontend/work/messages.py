"""Flash messages shown when an assignment ends and no next one is opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.protocol import Activity
from frontend.nouns import noun_of_activity
from tasks import skip_and_return
from tasks.models import Assignment
from tasks.states import AssignmentState
from tasks.submitting import Outcome

GIVEN_BACK = _("Given back. Your draft is kept, and for 24 hours this is offered to you first.")
ENDED_BEFORE = _(
    "Its time had ended before. Your draft is kept, and for 24 hours this is offered to you first, "
    "unless someone has taken it."
)
LATE = {
    "taken": _("This came after its time had ended, and someone had taken its place. It is kept."),
    "cancelled": _("This came after its time had ended, and a lead had taken it out of the project. It is kept."),
    "barred": _("This came after its time had ended, and you had begun other work that excludes it. It is kept."),
}
"""What is said of late work that has no slot, by the reason."""
ADOPTED = _("This came after its time had ended. Its place was still to be had, so it counts.")
COUNTS = _("The time that you spent on it counts.")
PAID = _("The time that you spent on it counts and is paid.")


def of_late(outcome: Outcome, *, pay: bool) -> str:
    """What is said of work that was finished after its time; "" of all other work. `pay`: the project states a rate."""
    if not outcome.late:
        return str(ADOPTED) if outcome.adopted else ""
    return f"{LATE[outcome.late]} {PAID if pay else COUNTS}"


def of_block(assignment: Assignment, activity: Activity, said: Mapping[str, Any]) -> Any:
    """After the last piece of a block that there was to do; "" where late work that has no slot was spoken of already.

    A block whose time ended before is not done: what was left of it may be in other hands.
    """
    if said.get("late"):
        return ""
    if said.get("reported"):
        return _("Reported. Thank you.")
    words = {"items": noun_of_activity(activity).many, "whole": gettext(activity.whole)}
    undone = assignment.lease.assignments.filter(annotation__completed_at=None)
    if undone.exclude(state=AssignmentState.SKIPPED).exists():
        if said.get("adopted") or not said.get("sent"):
            return gettext("The time for the other %(items)s about this %(whole)s has ended.") % words
        return gettext("Your answer counts. The time for the other %(items)s about this %(whole)s has ended.") % words
    return gettext("All %(items)s about this %(whole)s are done. Thank you.") % words


def of_choice(said: Mapping[str, Any]) -> Any:
    """Where the next work is chosen by a search; "" after a skip, which the page itself says and takes back."""
    if said.get("late"):
        return ""
    if said.get("reported"):
        return _("Reported. Thank you. Choose another one.")
    return _("Sent. Choose the next one.") if said.get("sent") else ""


def after(skipped: Assignment) -> dict[str, Any]:
    """Where the answer goes (`ask`, "" where nothing is asked), and after how many skips it is asked (`many`)."""
    many = skip_and_return.skips_in_a_row(skipped) > skip_and_return.MANY
    return {"ask": reverse("explain", args=[skipped.uuid]) if many else "", "many": skip_and_return.MANY}
