"""An oracle for commits: what must come of one, from the rows before it and without the production code."""

from __future__ import annotations

from tasks.engine import assignments, submitting
from tasks.engine.tabs import PageLoad
from tasks.models import Assignment
from tasks.models.states import HOLDS_SLOT, AssignmentState, TaskState
from tests.builders import reload


def up_to_date(row: Assignment, stage: str, *, tab: PageLoad, seen: int) -> bool:
    """Whether a page's commit must be accepted.

    The work is or was theirs, no newer page of theirs counts or has saved what this one never showed, and the work is
    in the state that the page says.
    """
    row = meant(row)
    if not counts(row, tab) or not has_shown(row, stage, tab):
        return False
    revising = assignments.in_open_block(row)
    in_hand = row.state in (AssignmentState.LEASED, AssignmentState.EXPIRED) or revising
    open_still = row.annotation.completed_at is None or revising
    return in_hand and open_still and row.annotation.responses.count() == seen


def meant(row: Assignment) -> Assignment:
    """The hold a page refers to: for expired work, the hold by which its author has it again, if any."""
    if row.state != AssignmentState.EXPIRED:
        return row
    again = Assignment.objects.filter(task=row.task, annotator=row.annotator, state__in=HOLDS_SLOT).first()
    return reload(again) if again else row


def ran_out(row: Assignment) -> bool:
    """Whether its lease expired before it was done, and it was not withdrawn: it may still be left."""
    undone = row.annotation.completed_at is None and row.task.state != TaskState.CANCELLED
    return row.state == AssignmentState.EXPIRED and undone


def may_save(row: Assignment, stage: str, *, tab: PageLoad, seen: int) -> bool:
    """Whether a draft must be accepted: the work is held, no newer page counts, the page knows the current draft."""
    known = counts(row, tab) and has_shown(row, stage, tab)
    return may_speak(row) and known and row.annotation.responses.count() == seen


def may_speak(row: Assignment) -> bool:
    """Whether the work is held, or its lease has expired and it may be taken up again."""
    return row.state in (AssignmentState.LEASED, AssignmentState.EXPIRED) or assignments.in_open_block(row)


def counts(row: Assignment, tab: PageLoad) -> bool:
    """Whether no page of the same work, here or on another device, was opened or taken back after this one."""
    return row.client in (None, tab.client, tab.after)


def has_shown(row: Assignment, stage: str, tab: PageLoad) -> bool:
    """Whether the stored draft of a stage is this page's own or the one that it was rendered with."""
    draft = row.annotation.drafts.filter(stage=stage).first()
    return draft is None or draft.client == tab.client or draft.seq == tab.base


def room(row: Assignment) -> bool:
    """Whether the task has a slot that is free, or held by somebody who has saved nothing, and was not withdrawn."""
    if row.task.state == TaskState.CANCELLED:
        return False
    held = row.task.assignments.filter(state__in=HOLDS_SLOT)
    idle = held.filter(state=AssignmentState.LEASED, annotation__responses=None, annotation__drafts=None)
    return held.count() < row.task.slots or idle.exclude(annotator=row.annotator).exists()


def how(outcome: submitting.CommitOutcome, row: Assignment, *, was: str) -> str:
    """The outcome of a commit, in one word."""
    if outcome.replayed or outcome.late:
        return "replayed" if outcome.replayed else "late"
    if was != AssignmentState.EXPIRED:
        return "revised" if was == AssignmentState.SUBMITTED else "in time"
    return {"submitted": "adopted", "leased": "taken up again"}.get(reload(row).state, "kept")
