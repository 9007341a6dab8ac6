"""Which picture shows which stage in which state; `visits` takes them."""

from __future__ import annotations

from annotation.skeletons.pair.protocol import PROTOCOL
from tests.screens.stages.by_bots import pictures_of

PICTURES: dict[str, tuple[str, ...]] = pictures_of(PROTOCOL)
NARROW: dict[str, tuple[str, ...]] = {}
