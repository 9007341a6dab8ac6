"""Drafts: what a page has saved and not committed, and which page load of one piece of work counts."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from annotation.errors import TakenOver
from annotation.models import Draft, User
from annotation.records import Step
from annotation.work import Work


@dataclass(frozen=True)
class Tab:
    """A page load that speaks: its id, the one that counted when it was shown (None: no page had spoken) and the number
    (`seq`) of the draft that it showed.
    """

    client: uuid.UUID
    after: uuid.UUID | None = None
    base: int = 0


def check_tab(counts: uuid.UUID | None, tab: Tab | None) -> None:
    """Raise TakenOver where a newer page load counts than this one (optimistic lock by page load).

    A tab that was shown after the last one took over counts without having said so. None: no page speaks.
    """
    if tab is not None and counts not in (None, tab.client, tab.after):
        raise TakenOver


def check_draft(draft: Draft | None, tab: Tab | None) -> None:
    """Raise TakenOver where another page load has saved a draft of the step that this one never showed."""
    if draft is not None and tab is not None and draft.client != tab.client and draft.seq != tab.base:
        raise TakenOver


def save_draft(
    work: Work, *, author: User, step: str, client: uuid.UUID, seq: int, data: dict[str, Any], now: datetime
) -> Draft:
    """Keep a draft of a step that was reached; an older save of the same page load changes nothing.

    Which page load counts, and whether the step is still to be answered, is judged before (`tasks.drafts`).
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


def drop_draft(work: Work, step: Step, tab: Tab | None) -> None:
    """The draft of the step has done its work; TakenOver where it is of another page and was never shown here."""
    mine = Draft.objects.filter(annotation=work.annotation, author=work.person, stage=step.stage, turn=step.turn)
    if tab is not None:
        mine = mine.filter(Q(client=tab.client) | Q(seq=tab.base))
    deleted, _ = mine.delete()
    if not deleted:
        check_draft(work.draft(step.address), tab)
