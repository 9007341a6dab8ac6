"""What the people of a schedule have on their screens, and how long they may leave it there."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from annotation import randomness
from annotation.engine import drafts
from frontend import access
from tasks.engine import assignments
from tasks.models import Assignment
from tests.builders import reload

PAUSES = [
    timedelta(seconds=4),
    timedelta(seconds=11),
    timedelta(minutes=20),
    timedelta(hours=1),
    timedelta(hours=5),
    timedelta(hours=49),
]
"""Within and after the time to undo, within and after a lease, the idle time and the whole time of a block."""


@dataclass
class Page:
    """A stage on somebody's screen: what it will send, and which state of the work it was rendered with."""

    assignment: Assignment
    stage: str
    seen: int
    payload: dict[str, Any]
    tab: drafts.PageLoad
    seq: int
    key: uuid.UUID = field(default_factory=randomness.handle)
    accepted: bool = False


def opened(row: Assignment, answers: dict[str, Any], answer: int) -> Page | None:
    """The stage seen by a person who opens this work now, with one of its two answers; None if it is closed."""
    row = reload(row)
    if not access.in_hand(row):
        return None
    work = assignments.work_of(row)
    stage = work.current or (work.activity.stages[-1].key if assignments.in_open_block(row) else None)
    if stage is None:  # it was finished under another hold of the same task
        return None
    draft = work.draft(stage)
    base = draft.seq if draft else 0
    tab = drafts.PageLoad(client=randomness.handle(), after=row.client, base=base)
    return Page(row, stage, work.seen, answers[stage][answer], tab, seq=base)
