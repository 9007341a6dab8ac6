"""Hold a conversation by the services; runs inside the site, by `manage.py shell`."""

from __future__ import annotations

from typing import Any

from annotation import clock, randomness
from tasks import assignments, submitting
from tasks.models import Assignment
from tests.browser.coqa.desk import STORY, TALK
from tests.builders import reload


def hold(questioner: str, answerer: str, last: str) -> None:
    """All turns of the talk but the last; then, by `last`, `asked`, `ended`, `closed`, or "" for nothing more."""
    asks, replies = (
        Assignment.objects.get(annotator__username=name, state="leased") for name in (questioner, answerer)
    )
    for question, words, text in TALK[:-1]:
        _say(asks, {"kind": "asked", "text": question})
        _say(replies, {"kind": "unknown"} if words is None else _answer(words, text))
    if last == "asked":
        _say(asks, {"kind": "asked", "text": TALK[-1][0]})
    elif last:
        _say(asks, {"kind": "ended", "why": "done", "reason": ""})
    if last == "closed":
        _say(replies, {"agreed": True})


def _answer(words: str, text: str) -> dict[str, Any]:
    start = STORY.index(words)
    rationale = {"passage": 0, "start": start, "end": start + len(words), "quote": words}
    return {"kind": "no" if text.startswith("No,") else "answered", "text": text, "rationale": rationale}


def _say(held: Assignment, payload: dict[str, Any]) -> None:
    row = reload(held)
    work = assignments.work_of(row)
    key, now = randomness.handle(), clock.now()
    submitting.commit(row, work.current, payload, by=row.annotator, key=key, seen=work.seen, now=now)
