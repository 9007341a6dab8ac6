"""Time at work that an interface of a team’s own reports, as pages of the site do."""

from __future__ import annotations

from datetime import datetime

from annotation.models.time import COUNTED
from annotation.worktime import spans
from frontend.work.holds.assignment_hold import AssignmentHold


def keep_time(held: AssignmentHold, step: str, *, seconds: float, active: float, now: datetime) -> float:
    """Store how long somebody had the step before them; the seconds that count as work.

    They are bounded by the clock and by the person’s other time, so that no report adds more than has passed.
    NotFound for a step that was never reached.
    """
    work = held.work()
    work.stage(step)
    place = held.booked(work, step)
    if place is None:
        return 0.0
    rows = spans.lock_and_write(place, seconds, min(active, seconds), by=held.person, now=now)
    return sum(row.seconds for row in rows if row.kind in COUNTED)
