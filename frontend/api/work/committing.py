"""What a script sends at a step: an answer, refused with what is there now as on a page; a draft; the time it took."""

from __future__ import annotations

import uuid as uuids
from datetime import datetime
from typing import Any

from annotation import projects
from annotation.errors import StalePage
from annotation.models import Draft
from annotation.models.time import COUNTED
from annotation.worktime import spans
from frontend import access
from frontend.api.work.holding import load_of
from frontend.work import conflicts
from frontend.work.holds.assignment_hold import AssignmentHold
from frontend.work.messages import REPLACED, SENT_BEFORE, TAKEN_BACK, late_message
from tasks.engine import assignments
from tasks.engine.submitting import CommitOutcome


def commit(
    held: AssignmentHold,
    step: str,
    payload: dict[str, Any],
    *,
    key: uuids.UUID,
    version: dict[str, Any],
    now: datetime,
) -> tuple[CommitOutcome, str]:
    """Write the answer; what became of it, and what there is to say about that.

    An answer that another page or script has sent, word for word, counts once. Raises what `AnyHold.commit` raises.
    """
    work = held.work()
    if work.has_gone(step):
        raise StalePage(str(TAKEN_BACK), reason="taken_back")
    access.stage_of(work, step)
    payload = held.completed(work, payload)
    seen, tab = version["seen"], load_of(version)
    try:
        done = held.commit(step, payload, key=key, seen=seen, tab=tab, left=None, now=now)
    except conflicts.CONFLICTS:
        if (held.in_hand or held.is_sent) and conflicts.counts_already(work, step, payload):
            return CommitOutcome(work, work.following, replayed=True), str(SENT_BEFORE)
        if not work.reached(step):
            work.when_reached(step)
        raise
    return done, late_message(done, pay=bool(projects.project_config(held.project).pay))


def replace(
    held: AssignmentHold, step: str, payload: dict[str, Any], *, key: uuids.UUID, seen: int, now: datetime
) -> tuple[CommitOutcome, str]:
    """Have a second answer count in place of the one that was sent; what became of it, and what there is to say.

    Raises what `AnyHold.replace` raises, and NotFound for a step that was never reached.
    """
    work = held.work()
    access.stage_of(work, step)
    if not work.reached(step):
        work.when_reached(step)
    done = held.replace(step, held.completed(work, payload), key=key, seen=seen, now=now)
    return done, "" if done.following else str(REPLACED)


def as_json(done: CommitOutcome, words: str, held: AssignmentHold) -> dict[str, Any]:
    """What became of an answer, but for the work itself."""
    following = assignments.next_in_block(held.assignment) if done.work.activity.block and not done.following else None
    return {
        "replayed": done.replayed,
        "adopted": done.adopted,
        "late": done.late,
        "message": words,
        "next": following.uuid if following else None,
    }


def save_draft(held: AssignmentHold, step: str, body: dict[str, Any], *, now: datetime) -> Draft:
    """Save a draft; raises what `AnyHold.save_draft` raises, and StalePage for a step that a partner took back."""
    if held.work().has_gone(step):
        raise StalePage(str(TAKEN_BACK), reason="taken_back")
    seen, tab = body["version"]["seen"], load_of(body["version"])
    return held.save_draft(step, body["data"], tab=tab, seq=body["seq"], seen=seen, now=now)


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
