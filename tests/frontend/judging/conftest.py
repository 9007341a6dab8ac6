"""The project and people of `tests/tasks/judging/sealed_once.py`, made once for each module, and a round for each test.

A module whose tests have real commits takes those of `tests/tasks/judging/judged_rounds.py`.
"""

from tests.tasks.judging.judged_rounds import sealed
from tests.tasks.judging.meetings import meeting, voting
from tests.tasks.judging.sealed_once import answered_once, experts, lead, lights, staffed_once

__all__ = ["answered_once", "experts", "lead", "lights", "meeting", "sealed", "staffed_once", "voting"]
