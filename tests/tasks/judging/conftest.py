"""The project, people and round of `tests/rounds.py`."""

from tests.rounds import experts, lead, lights, sealed

__all__ = ["experts", "lead", "lights", "sealed"]
