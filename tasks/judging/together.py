"""Several exhibits of one item on one screen: what a rater sends or saves there is sent and saved for all, or for none.

Each of them stays a judgement of its own, with its task, draft and answers; this holds their locks at the same time.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Unpack

from annotation.engine import committing, drafts
from annotation.engine.committing import AnswerSent
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Work
from annotation.errors import KeyReused, PayloadInvalid
from annotation.judging import rounds
from annotation.judging.rules import letter_of
from annotation.judging.together import TogetherWork
from annotation.models import Draft, Exhibit, Response, User
from annotation.values.records import Step
from tasks.engine import assignments, submitting, tabs, transitions
from tasks.engine.submitting import CommitOutcome
from tasks.engine.transactions import service
from tasks.judging import working
from tasks.models import Assignment
from tasks.models.states import AssignmentState

OUTDATED = -1
"""As many responses as no page has seen: a part refuses it, with the reason that comes first."""


def on_screen_of(assignment: Assignment) -> Sequence[Assignment]:
    """What the rater judges on the screen of this exhibit, in the sealed order; [] if it has a screen of its own, or is
    shown no more.

    `assignment` was loaded as its person's own; so are the others.
    """
    exhibit = assignment.annotation.exhibit
    if exhibit is None or not rounds.rules_of(exhibit.round).together:
        return []
    task = assignment.task
    rows = working.work_to_show(assignment.lease).filter(task__item=task.item_id, task__round=task.round)
    found = list(rows.select_related("task__queue", "annotation__exhibit").order_by("annotation__exhibit__place"))
    for each in found:
        each.task.item, each.lease, each.annotator = task.item, assignment.lease, assignment.annotator
        each.task.queue = task.queue
        if each.annotation.exhibit is not None:
            each.annotation.exhibit.round = exhibit.round
    return found


def work_of(parts: Sequence[Assignment]) -> TogetherWork:
    """The work on these as one."""
    found = [assignments.work_of(part) for part in parts]
    first = {name: getattr(found[0], name) for name in found[0].__dataclass_fields__}
    return TogetherWork(**first, parts=tuple(found), letters=_letters(parts))


def _letters(parts: Sequence[Assignment]) -> tuple[str, ...]:
    """The letter of each exhibit among all of its item that are no copies: the same for all raters."""
    exhibit = parts[0].annotation.exhibit
    assert exhibit is not None
    rows = Exhibit.objects.filter(round=exhibit.round_id, item=exhibit.item_id, same_as=None).order_by("place")
    letters = {key: letter_of(at) for at, key in enumerate(rows.values_list("pk", flat=True))}
    return tuple(letters[part.annotation.exhibit_id] for part in parts if part.annotation.exhibit_id)


def commit(
    parts: Sequence[Assignment], step: str, payload: dict[str, Any], *, by: User, **sent: Unpack[AnswerSent]
) -> CommitOutcome:
    """Write the mark of each, as `submitting.commit`; if one is refused, none is written. Returns the work on all.

    `payload`: by the prefixes of the parts; `seen`: how many responses there were to all of them. What says the same as
    before is not written again.
    """
    try:
        return _commit(parts, step, payload, by=by, **sent)
    except Exception:
        _reread(parts)  # what was written before the one that was refused has been rolled back
        raise


@service
def _commit(
    parts: Sequence[Assignment],
    step: str,
    payload: dict[str, Any],
    *,
    by: User,
    key: uuid.UUID,
    seen: int,
    now: datetime,
    tab: PageLoad | None = None,
) -> CommitOutcome:
    parts = _locked(parts)
    work = work_of(parts)
    shares, keys = work.shares(payload), work.keys_of(key)
    if _is_stored(by, dict(zip(keys, shares, strict=True)), step):
        return CommitOutcome(work, None, replayed=True)
    fresh = seen == work.seen_at(step)
    new = [not fresh or not _says_this(part, step, said) for part, said in shares]
    new[0] = new[0] or not any(new)
    for part, (its, said), own_key, is_new, prefix in zip(parts, shares, keys, new, work.prefixes, strict=True):
        if not is_new:
            drafts.drop_draft(its, Step.at(step), tab)
            continue
        its_seen = its.seen_at(step) if fresh else OUTDATED
        try:
            submitting.commit(part, step, said, by=by, key=own_key, seen=its_seen, tab=tab, now=now)
        except PayloadInvalid as why:
            problems = (replace(each, field=f"{prefix}-{each.field}") for each in why.problems)
            raise PayloadInvalid(tuple(problems)) from None
    return CommitOutcome(work_of(parts), None)


@service
def _reread(parts: Sequence[Assignment]) -> None:
    """Reload what may have changed."""
    _locked(parts)


def _is_stored(by: User, sent: Mapping[uuid.UUID, Any], step: str) -> bool:
    """Whether these were written before, under the same keys; KeyReused if they said something else."""
    rows = Response.objects.filter(author=by, submission_key__in=list(sent))
    found = dict(rows.values_list("submission_key", "body_sha256"))
    if any(body != committing.body_hash(step, sent[key][1]) for key, body in found.items() if key is not None):
        raise KeyReused
    return bool(found)


def _says_this(work: Work, step: str, answer: dict[str, Any]) -> bool:
    """Whether this is what was said last."""
    return bool(work.responses) and work.responses[-1].body_sha256 == committing.body_hash(step, answer)


@service
def save_draft(
    parts: Sequence[Assignment],
    step: str,
    data: dict[str, Any],
    *,
    by: User,
    tab: PageLoad,
    seq: int,
    seen: int,
    now: datetime,
) -> Draft:
    """Save the draft of each, as `submitting.save_draft`; returns that of the first. `data`: fields of all parts."""
    parts = _locked(parts)
    work = work_of(parts)
    fresh = seen == work.seen_at(step)
    found = [
        submitting.save_draft(
            part, step, own, by=by, tab=tab, seq=seq, seen=its.seen_at(step) if fresh else OUTDATED, now=now
        )
        for part, its, own in zip(parts, work.parts, work.parts_of_draft(data), strict=True)
    ]
    return found[0]


@service
def take_over(parts: Sequence[Assignment], *, client: uuid.UUID, by: User, now: datetime) -> None:
    """Open all of them in this page load."""
    for part in _locked(parts):
        tabs.take_over(part, client=client, by=by, now=now)


def _locked(parts: Sequence[Assignment]) -> Sequence[Assignment]:
    """Lock and reload them; returns those that are still to be judged, or all if none is: then each says why."""
    transitions.lock([part.task_id for part in parts])
    for part in parts:
        assignments.lock(part)
    return [part for part in parts if part.state != AssignmentState.REVOKED] or parts
