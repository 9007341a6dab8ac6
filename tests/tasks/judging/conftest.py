"""The project, people and rounds of `tests/rounds.py` and `tests/meetings.py`."""

from tests.meetings import meeting, voting
from tests.rounds import experts, lead, lights, sealed

__all__ = ["experts", "lead", "lights", "meeting", "sealed", "voting"]
