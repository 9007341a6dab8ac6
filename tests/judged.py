"""Many NQ questions that several people have judged, put into the record by factories: bad, or without an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any

from annotation.models import Item, Project, User
from tests.factories.corpus import ItemFactory
from tests.factories.record import AnnotationFactory, ResponseFactory
from tests.people import NOON

BAD, NONE = "bad", "none"
ANSWERS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    BAD: [("question", {"verdict": "bad", "reasons": ["opinion"]})],
    NONE: [("question", {"verdict": "good"}), ("long_answer", {"kind": "none", "reason": "page"})],
}


def judged(
    project: Project, said: Sequence[Mapping[User, str]], *, split: str = "train", now: datetime = NOON
) -> list[Item]:
    """A question for each entry of `said`: what these people say of it, BAD or NONE."""
    items = ItemFactory.insert_many(
        {
            "project": project,
            "split": split,
            "external_id": f"judged-{split}-{n}",
            "payload": {"question_text": f"which light {n}"},
            "position": n,
        }
        for n in range(len(said))
    )
    pairs = [(item, *each) for item, answers in zip(items, said, strict=True) for each in answers.items()]
    rows = AnnotationFactory.insert_many(
        {"item": item, "author": person, "opened_at": now, "completed_at": now} for item, person, _answer in pairs
    )
    ResponseFactory.insert_many(
        {"annotation": row, "stage": stage, "payload": payload}
        for row, (_item, _person, answer) in zip(rows, pairs, strict=True)
        for stage, payload in ANSWERS[answer]
    )
    return items


def with_slips(slips: Mapping[User, float], *, items: int, share: float = 0.5, seed: int = 1) -> list[dict[User, str]]:
    """What people say who are wrong in these shares of the questions; of which such a share is bad."""
    rng, found = Random(seed), []
    for _ in range(items):
        right, wrong = (BAD, NONE) if rng.random() < share else (NONE, BAD)
        found.append({person: wrong if rng.random() < slip else right for person, slip in slips.items()})
    return found
