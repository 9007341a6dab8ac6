"""Hold a conversation, or guess, by the services; runs inside the site, by `manage.py shell`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation import clock, randomness
from annotation.models import Project
from tasks.engine import assignments, claiming, submitting
from tasks.models import Assignment
from tests import signed_in
from tests.browser.coqa.desk import STORY, TALK
from tests.builders import reload


def hold(questioner: str, answerer: str, last: str, first: int, until: int) -> None:
    """The turns from `first` on, before `until`; then, by `last`, `asked`, `ended`, `closed`, or "" for nothing."""
    asks, replies = (_held(name) for name in (questioner, answerer))
    for question, words, text in TALK[first - 1 : until - 1]:
        _say(asks, {"kind": "asked", "text": question})
        _say(replies, _answer(words, text))
    if last == "asked":
        _say(asks, {"kind": "asked", "text": TALK[until - 1][0]})
    elif last:
        _say(asks, {"kind": "ended", "why": "done", "reason": ""})
    if last == "closed":
        _say(replies, {"agreed": True})


def guess(player: str, first: int) -> None:
    """In the game that this person plays, the answers of the talk from turn `first` on, but for its last."""
    plays = _held(player)
    for _question, words, text in TALK[first - 1 : -1]:
        _say(plays, _answer(words, text))
        _say(plays, {"verdict": "match", "mistyped": ""})


def play(slug: str, player: str, story: str, talk: Sequence[tuple[str, str, str]]) -> None:
    """The whole game of a conversation of a project, by a new member who guesses right: (question, rationale, text)."""
    project = Project.objects.get(slug=slug)
    claiming.claim(project, "guess", by=signed_in.member(project, player), now=clock.now())
    plays = _held(player)
    for _question, words, text in talk:
        _say(plays, _answer(words, text, story))
        _say(plays, {"verdict": "match", "mistyped": ""})


def _held(name: str) -> Assignment:
    return Assignment.objects.get(annotator__username=name, state="leased")


def _answer(words: str | None, text: str, story: str = STORY) -> dict[str, Any]:
    if words is None:
        return {"kind": "unknown"}
    start = story.index(words)
    rationale = {"passage": 0, "start": start, "end": start + len(words), "quote": words}
    return {"kind": "no" if text.startswith("No,") else "answered", "text": text, "rationale": rationale}


def _say(held: Assignment, payload: dict[str, Any]) -> None:
    row = reload(held)
    work = assignments.work_of(row)
    key, now = randomness.handle(), clock.now()
    submitting.commit(row, work.current, payload, by=row.annotator, key=key, seen=work.seen, now=now)
