"""What a person would say now of a stage that is sealed: a note for the lead, which changes nothing."""

from __future__ import annotations

from datetime import datetime

from annotation import events
from annotation.errors import NotFound
from annotation.models import User
from tasks import submitting
from tasks.models import Assignment

RECONSIDERED = "annotation.reconsidered"
"""The kind of the events; each holds `stage` and `text`."""


def note(assignment: Assignment, stage: str, *, by: User, text: str, now: datetime) -> None:
    """Keep the note in the history; NotFound where the stage is none that was answered and sealed."""
    work = submitting.work_of(assignment)
    if stage not in {entry.stage for entry in work.so_far} or not work.activity.stage(stage).sealed:
        raise NotFound
    events.record(RECONSIDERED, work.annotation, by=by, now=now, stage=stage, text=" ".join(text.split()))
