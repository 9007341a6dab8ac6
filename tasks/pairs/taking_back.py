"""Take back what one has just sent, as long as the partner has not begun on the next step."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from annotation import randomness, registry
from annotation.engine import drafts, recording
from annotation.engine.work import Work
from annotation.errors import NotFound, WrongMove
from annotation.i18n import _
from annotation.models import Draft, User
from annotation.values.records import Step, Waiting
from tasks.engine import assignments, leases, pokes
from tasks.engine.transactions import service
from tasks.models import Assignment
from tasks.models.states import AssignmentState

BEGUN = _("It is already being answered.")


@service
def take_back(assignment: Assignment, step: str, *, by: User, now: datetime) -> Work:
    """Take back the answer to a step (given by its address); it becomes the draft of that step. Idempotent.

    It stays in the record, but no longer counts. A partner has begun when a draft of theirs is saved, which a marked
    span is too. Like a save, this runs under the task's lock, so that one of the two comes first. Raises AlreadyClosed,
    NotFound for a step that can't be taken back, and WrongMove if the partner has begun.
    """
    assignments.lock(assignment)
    if assignment.state != AssignmentState.LEASED:
        raise assignments.why_closed(assignment)
    work = assignments.work_of(assignment)
    if not work.stage(step).withdrawable:
        raise NotFound
    answered = work.answer_at(step)
    if answered is None:
        return work
    if work.withdrawable != step or _begun(work, by=by):
        raise WrongMove(BEGUN)
    at = Step.at(step)
    row = recording.take_back(
        work.annotation, author=by, stage=work.stage(step), turn=at.turn, seat=answered.seat, now=now
    )
    work = replace(work, known=[*work.responses, row])
    fields = registry.form_of(work.protocol.key, step).fields_of(answered.payload.model_dump(mode="json"))
    fields |= drafts.take_from_next_turn(work, at, author=by)
    drafts.save_draft(work, author=by, step=step, client=randomness.handle(), seq=1, data=fields, now=now)
    leases.renew(assignment.lease, now=now)
    pokes.partners(assignment, by=by)
    return work


def step_to_take_back(work: Work, *, by: User) -> str:
    """The address of the step that this person may take back now; "" if there is none or the partner has begun."""
    return "" if _begun(work, by=by) else work.withdrawable


def _begun(work: Work, *, by: User) -> bool:
    """Whether a partner has saved a draft of the step that is waited for."""
    if not isinstance(work.following, Waiting):
        return True
    at = work.following.step
    theirs = Draft.objects.filter(annotation=work.annotation, stage=at.stage, turn=at.turn)
    return theirs.exclude(author=by).exists()
