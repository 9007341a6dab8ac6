"""The project of CoQA for the pictures; runs inside the site, by `manage.py shell`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from annotation import clock, randomness, registry
from annotation.models import Item, Project, Role, User
from tasks.engine import assignments, claiming, queues, skip_and_return, submitting
from tasks.models import Assignment
from tasks.pairs import flag_rates, matching
from tests.builders import load, reload
from tests.factories.corpus import ProjectFactory
from tests.screens.camera import SIZES

TALKED, FINISHED, LOST, SOLO = "ferry-cat", "clockmaker", "salt-road", "bridge-reopens"
"""Passages: of which there is much talk already, whose conversation is guessed, from which a partner was lost, and
which somebody talks about alone."""
LEFT = ("two-swimmers", "lost-glove", "night-train", "harvest-robot", "whistling", "hedge")
"""Passages at which somebody has left a partner."""
TURNS = {TALKED: 14, FINISHED: 30, LOST: 3, SOLO: 6}


def furnish(person: Callable[..., User], *, now: datetime) -> None:
    """For each size two people in the middle of a conversation, a player, somebody whose partner is lost, and somebody
    who has left partners; and a flag.
    """
    # However long it takes until somebody comes to their pictures, their work is still theirs.
    numbers = {"overlap": {"train": 2, "dev": 3}, "lease_minutes": 720, "kept_minutes": 720}
    config = {"seed": "1", "activities": dict.fromkeys(("converse", "converse_alone", "guess"), numbers)}
    tales = ProjectFactory(slug="tales", title="Tales told twice", protocol="coqa", config=config, created_at=now)
    load(tales, registry.get("coqa").demo.items, clock=clock.now)
    for activity in registry.get("coqa").activities:
        queues.open_queue(tales, activity.key, by=None, now=now)
    person(tales, "lotte", Role.LEAD)
    _talk(tales, FINISHED, [person(tales, name) for name in ("ivo", "ola")], now=now)
    game = tales.items.get(kind="conversation")
    _say(claiming.claim(tales, "guess", by=person(tales, "rex"), now=now, item=game), 99, now=now, says=0)
    for size in SIZES:
        _talk(tales, TALKED, [person(tales, f"{name}-{size}") for name in ("quinn", "anna")], now=now)
        _leave(tales, [person(tales, f"{name}-{size}") for name in ("kim", "ned")], now=now)
        before = now - timedelta(minutes=4)
        asks, answers = _talk(tales, LOST, [person(tales, f"{name}-{size}") for name in ("lou", "max")], now=before)
        _flag(asks, "answer-2", "wrong", now=before)
        _flag(answers, "question-3", "vague", text="Who is meant by “they”?", now=before)
        alone = claiming.claim(tales, "converse_alone", by=person(tales, f"sol-{size}"), now=now, item=_of(tales, SOLO))
        _say(alone, 2 * TURNS[SOLO], now=now)
        played = claiming.claim(tales, "guess", by=person(tales, f"pia-{size}"), now=now, item=game)
        _say(played, 2 * 7, now=now, says=1)


def _of(tales: Project, passage: str) -> Item:
    return tales.items.get(external_id=passage)


def _talk(tales: Project, passage: str, people: list[User], *, now: datetime) -> tuple[Assignment, ...]:
    seats = matching.seat(tales, "converse", people, now=now, item=_of(tales, passage))
    for _ in range(TURNS[passage]):
        for row in seats:
            _say(row, 1, now=now)
    for _ in range(2):  # the proposal to end, and the agreement
        for row in seats if passage == FINISHED else ():
            _say(row, 1, now=now)
    return seats


def _flag(by: Assignment, step: str, reason: str, *, now: datetime, text: str = "") -> None:
    flag_rates.flag(reload(by), step, by=by.annotator, reason=reason, text=text, ends=False, now=now)


def _leave(tales: Project, people: list[User], *, now: datetime) -> None:
    """Let the first leave the second, who are seated again: as of in an hour, so that nobody is lost until then."""
    for passage, reason in zip(LEFT, ("", "time", "", "", "", ""), strict=True):
        held, _ = matching.seat(tales, "converse", people, now=now, item=_of(tales, passage))
        skip_and_return.give_back(reload(held), by=people[0], now=now, reason=reason)
    matching.seat(tales, "converse", people, now=now + timedelta(hours=1), item=_of(tales, LEFT[0]))


def _say(held: Assignment, answers: int, *, now: datetime, says: Any = None) -> None:
    """Let the holder answer, as the demo's people do, until somebody else has the word."""
    for _ in range(answers):
        row = reload(held)
        work = assignments.work_of(row)
        if work.current is None:
            return
        payload = work.protocol.demo.answer(work.sheet(work.current), work.item.external_id, says)
        key = randomness.handle()
        submitting.commit(row, work.current, payload, by=row.annotator, key=key, seen=work.seen, now=now)
