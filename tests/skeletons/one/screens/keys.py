"""Open a stage in a browser, for tests that apply to every stage."""

from __future__ import annotations

from annotation.skeletons.one.protocol import PROTOCOL
from tests.screens.stages.by_bots import opened_by_bots

OPENED = opened_by_bots(PROTOCOL)
