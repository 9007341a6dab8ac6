"""Fixtures of the tests of Prolific."""

from tests.prolific.story import lights, prolific

__all__ = ["lights", "prolific"]
