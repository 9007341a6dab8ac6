"""The project, people and rounds of `tests/rounds.py` and `tests/tasks/judging/meetings.py`."""

from tests.rounds import experts, lead, lights, sealed
from tests.tasks.judging.meetings import meeting, voting

__all__ = ["experts", "lead", "lights", "meeting", "sealed", "voting"]
