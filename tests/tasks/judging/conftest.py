"""The project, people and rounds of `tests/tasks/judging/judged_rounds.py` and `tests/tasks/judging/meetings.py`.

The project and its answers are made once for all tests of a module.
"""

from tests.tasks.judging.judged_once import answered_once, lights
from tests.tasks.judging.judged_rounds import experts, lead, sealed
from tests.tasks.judging.meetings import meeting, voting

__all__ = ["answered_once", "experts", "lead", "lights", "meeting", "sealed", "voting"]
