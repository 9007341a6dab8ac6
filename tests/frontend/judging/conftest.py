"""The project, people and rounds of `tests/tasks/judging/judged_rounds.py` and `tests/tasks/judging/meetings.py`."""

from tests.tasks.judging.judged_rounds import experts, lead, lights, sealed
from tests.tasks.judging.meetings import meeting, voting

__all__ = ["experts", "lead", "lights", "meeting", "sealed", "voting"]
