"""The bonuses that would be paid, before they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from frontend.leads.invited import invited_names
from frontend.leads.prolific.history import amount_in_words
from frontend.leads.prolific.page import BADGES, status_in_words
from tasks.models import Study
from tasks.prolific import bonuses
from tasks.prolific.bonuses import BonusShare


@dataclass(frozen=True)
class BonusShareRow:
    """A person's row, with amounts in words."""

    share: BonusShare
    name: str
    code: str
    status: str
    badge: str
    owed: str
    reward: str
    bonus: str


def preview_of(study: Study, *, until: date) -> dict[str, Any]:
    """What the page shows, and what its form sends of it."""
    found = bonuses.shares(study, until=until)
    names = invited_names(study.project, [share.person for share in [*found.due, *found.covered]])
    return {
        "until": until,
        "shares": found,
        "rows": list(_rows(study, found.due, names)),
        "covered": list(_rows(study, found.covered, names)),
        "total": amount_in_words(found.cents, study.currency),
        "other_currency": found.currency if found.currency != study.currency else "",
        "seen": bonuses.seen_by(found),
    }


def _rows(study: Study, shares: Iterable[BonusShare], names: dict[int, str]) -> Iterable[BonusShareRow]:
    for share in shares:
        person, status = share.submission.person, share.submission.status
        assert person is not None  # shares are of people
        yield BonusShareRow(
            share=share,
            name=names.get(share.person, "") or person.username,
            code=person.worker_code,
            status=status_in_words(status),
            badge=BADGES.get(status, ""),
            owed=amount_in_words(share.owed, study.currency),
            reward=amount_in_words(share.reward, study.currency),
            bonus=amount_in_words(share.cents, study.currency),
        )
