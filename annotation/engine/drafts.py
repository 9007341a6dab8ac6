"""Drafts (saved, not committed), and which page load of a piece of work may write."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from annotation import randomness
from annotation.engine.work import Work
from annotation.errors import TakenOver
from annotation.models import Draft, User
from annotation.values.records import Step


@dataclass(frozen=True)
class PageLoad:
    """A page load: its id (`client`), the one that held the work when it was shown (`after`, None: none had yet), and
    the `seq` of the draft that it showed (`base`).
    """

    client: uuid.UUID
    after: uuid.UUID | None = None
    base: int = 0


def check_tab(counts: uuid.UUID | None, tab: PageLoad | None) -> None:
    """Raise TakenOver if a newer page load than this one holds the work (optimistic lock by page load).

    A tab that was shown after the last take-over holds it implicitly. None: the caller is not a page.
    """
    if tab is not None and counts not in (None, tab.client, tab.after):
        raise TakenOver


def check_draft(draft: Draft | None, tab: PageLoad | None) -> None:
    """Raise TakenOver if another page load has saved a draft of the step that this one never showed."""
    if draft is not None and tab is not None and draft.client != tab.client and draft.seq != tab.base:
        raise TakenOver


def save_draft(
    work: Work, *, author: User, step: str, client: uuid.UUID, seq: int, data: dict[str, Any], now: datetime
) -> Draft:
    """Save the draft of a step that was reached; an older save of the same page load is ignored.

    The caller has checked that this page load may write and that the step is still open (`tasks.engine.submitting`).
    """
    found = work.step(step)
    draft, created = Draft.objects.select_for_update().get_or_create(
        annotation=work.annotation,
        author=author,
        stage=found.stage,
        turn=found.turn,
        defaults={"client": client, "seq": seq, "data": data, "saved_at": now},
    )
    if not created and (draft.client != client or draft.seq < seq):
        draft.client, draft.seq, draft.data, draft.saved_at = client, seq, data, now
        draft.save(update_fields=["client", "seq", "data", "saved_at"])
    return draft


def keep_for_next_turn(work: Work, step: Step, *, author: User, data: dict[str, Any], now: datetime) -> None:
    """Keep what was entered at a step but is no part of its answer as the draft of that stage in the next turn."""
    Draft.objects.update_or_create(
        annotation=work.annotation,
        author=author,
        stage=step.stage,
        turn=step.turn + 1,
        defaults={"client": randomness.handle(), "seq": 1, "data": data, "saved_at": now},
    )


def take_from_next_turn(work: Work, step: Step, *, author: User) -> dict[str, Any]:
    """What `keep_for_next_turn` has kept, which is the draft of the step itself again; {} for nothing."""
    kept = Draft.objects.filter(annotation=work.annotation, author=author, stage=step.stage, turn=step.turn + 1).first()
    if kept is None:
        return {}
    kept.delete()
    data: dict[str, Any] = kept.data
    return data


def drop_draft(work: Work, step: Step, tab: PageLoad | None) -> None:
    """Delete the draft of a step; TakenOver if it is another page load's and this one never showed it."""
    mine = Draft.objects.filter(annotation=work.annotation, author=work.person, stage=step.stage, turn=step.turn)
    if tab is not None:
        mine = mine.filter(Q(client=tab.client) | Q(seq=tab.base))
    deleted, _ = mine.delete()
    if not deleted:
        check_draft(work.draft(step.address), tab)
