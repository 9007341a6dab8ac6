"""What webhooks can tell of, and what they say of it: ids and kinds, never texts, names or marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from django.utils.translation import gettext_lazy as _

from annotation.models import Case, Event, JudgingRound, Project, Release
from qualification.models import Attempt, AttemptPurpose
from tasks.models import Delivery, Task

TEST = "test"
KINDS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "item.done": (_("An item is done"), ("task.done",)),
    "item.disputed": (_("The annotations of an item agree too little"), ("task.disputed",)),
    "case.opened": (_("A case waits for a lead"), ("case.opened",)),
    "case.decided": (_("A case is decided"), ("case.upheld", "case.dismissed")),
    "release.ready": (_("A release is ready"), ("release.ready",)),
    "release.retracted": (_("A release is retracted"), ("release.retracted",)),
    "exam.ended": (_("Somebody’s exam is graded, or has run out"), ("attempt.graded", "attempt.expired")),
    "round.sealed": (_("A judging round is sealed"), ("judginground.sealed",)),
    "round.ended": (_("A judging round has ended"), ("judginground.closed", "judginground.stopped")),
}
"""In words, and the kinds of events that it stands for."""


def body_of(delivery: Delivery, project: Project) -> bytes | None:
    """The JSON that is sent, the same in every try; None for an event that is nobody's business outside.

    As the specification of Standard Webhooks has it: `type`, `timestamp` (when it happened) and `data`.
    """
    said: dict[str, Any] | None = {}
    at = delivery.made_at
    if delivery.event is not None:
        event = Event.objects.get(pk=delivery.event)
        said, at = _about(event), event.at
    if said is None:
        return None
    data = {"project": project.slug, **said}
    return orjson.dumps({"type": delivery.kind, "timestamp": at.isoformat(), "data": data})


def _about(event: Event) -> dict[str, Any] | None:
    """The ids of what an event is about, which its subject names by key or uuid."""
    of, _colon, key = event.subject.partition(":")
    return _SAID[of](key)


def _of_task(key: str) -> dict[str, Any]:
    """A task of a judging round or of a reference is never done."""
    row = Task.objects.get(pk=key)
    return {"item": row.item_id, "activity": row.activity}


def _of_case(key: str) -> dict[str, Any]:
    row = Case.objects.select_related("annotation").get(pk=key)
    return {"case": row.pk, "kind": row.kind, "item": row.annotation.item_id}


def _of_release(key: str) -> dict[str, Any]:
    return {"release": Release.objects.get(pk=key).version}


def _of_attempt(key: str) -> dict[str, Any] | None:
    """What leads try out is no exam. Whether somebody passed is not said."""
    row = Attempt.objects.select_related("qualification").get(uuid=key)
    if row.purpose == AttemptPurpose.TRIAL:
        return None
    return {"qualification": row.qualification.key, "attempt": str(row.uuid)}


def _of_round(key: str) -> dict[str, Any]:
    return {"round": str(JudgingRound.objects.get(uuid=key).uuid)}


_SAID: dict[str, Callable[[str], dict[str, Any] | None]] = {
    "task": _of_task,
    "case": _of_case,
    "release": _of_release,
    "attempt": _of_attempt,
    "judginground": _of_round,
}
