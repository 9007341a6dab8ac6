"""The visits that take the pictures; bots have led people to each stage."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.skeletons.pair.protocol import PROTOCOL
from tests.screens.camera import Visit
from tests.screens.stages.by_bots import visits_of


def visits(size: str) -> Iterator[Visit]:
    """Every stage in each of its states."""
    yield from visits_of(PROTOCOL, size)
