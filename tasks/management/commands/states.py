"""states: the diagrams of the state machines, as docs/states.md has them."""

from __future__ import annotations

from typing import Any

from annotation.engine.state_machine import mermaid
from annotation.management.base import QuickCommand
from annotation.models import CaseState, Job, Release
from annotation.models.case import CASE_MOVES
from annotation.models.job import JOB_MOVES
from annotation.models.judging import ROUND_MOVES, RoundState
from annotation.models.release import RELEASE_MOVES
from qualification.models import ATTEMPT_MOVES, GRANT_MOVES, AttemptState, GrantState
from tasks.models import Bonus, states
from tasks.models.prolific import BONUS_MOVES

MACHINES: dict[str, tuple[Any, Any]] = {
    "tasks.Queue": (states.QueueState, states.QUEUE_MOVES),
    "tasks.Task": (states.TaskState, states.TASK_MOVES),
    "tasks.Assignment": (states.AssignmentState, states.ASSIGNMENT_MOVES),
    "tasks.Ticket": (states.TicketState, states.TICKET_MOVES),
    "tasks.Partner": (states.PartnerState, states.PARTNER_MOVES),
    "qualification.Grant": (GrantState, GRANT_MOVES),
    "qualification.Attempt": (AttemptState, ATTEMPT_MOVES),
    "annotation.Case": (CaseState, CASE_MOVES),
    "annotation.Release": (Release.State, RELEASE_MOVES),
    "annotation.JudgingRound": (RoundState, ROUND_MOVES),
    "annotation.Job": (Job.State, JOB_MOVES),
    "tasks.Bonus": (Bonus.State, BONUS_MOVES),
}
"""Model -> the enum of its states, and from each state the states that it can move to. A partner is no model: their
state is told by times."""
HEAD = """# States

Generated from the transition tables by `manage.py states > docs/states.md`; a test fails if it is out of date.

An assignment in one of these states holds a slot of its task: {holds}.
After one of these, the same person may be given the item again: {free}.
"""


def page() -> str:
    """The whole of docs/states.md."""
    head = HEAD.format(holds=", ".join(states.HOLDS_SLOT), free=", ".join(states.LEAVES_ITEM_FREE))
    drawn = [
        f"## {name.split('.')[1]}\n\n```mermaid\n{mermaid(name, moves)}\n```\n" for name, (_, moves) in MACHINES.items()
    ]
    return "\n".join([head, *drawn])


class Command(QuickCommand):
    """Print the page."""

    help = "Print docs/states.md."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(page(), ending="")
