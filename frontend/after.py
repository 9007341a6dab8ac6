"""What is said to a person whose work has left the screen, where no next question says it by coming."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from tasks.models import Assignment
from tasks.states import AssignmentState


def of_block(assignment: Assignment, said: Mapping[str, Any]) -> Any:
    """After the last piece of a block that there was to do; "" where late work was spoken of already.

    A block whose time ended before is not done: what was left of it may be in other hands.
    """
    if said.get("late"):
        return ""
    if said.get("reported"):
        return _("Reported. Thank you.")
    undone = assignment.lease.assignments.filter(annotation__completed_at=None)
    if undone.exclude(state=AssignmentState.SKIPPED).exists():
        return _("Your answer counts. The time for the other questions about this paper has ended.")
    return _("All questions about this paper are done. Thank you.")


def of_choice(said: Mapping[str, Any]) -> Any:
    """Where the next work is chosen by a search; "" after a skip, which the page itself says and takes back."""
    if said.get("late"):
        return ""
    if said.get("reported"):
        return _("Reported. Thank you. Choose another one.")
    return _("Sent. Choose the next one.") if said.get("sent") else ""
