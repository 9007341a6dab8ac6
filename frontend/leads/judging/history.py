"""What has happened with a judging round, in words, for its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import events
from annotation.models import Event, JudgingRound, User

LATEST = 50
"""Lines of a history, at most."""

WORDS: dict[str, Any] = {
    "judging.made": _("Made as a draft"),
    "judging.changed": _("The choices were changed"),
    "judging.rater_named": _("Named as a rater: %(person)s"),
    "judging.chair": _("In the chair: %(person)s"),
    "judging.begun": _("Began to judge"),
    "judging.locked": _("Locked, as rater %(rater)s"),
    "judging.recused": _("Looked at answers, and judges their items no more"),
    "judging.defect": _("Exhibit %(place)s is a defect: %(why)s"),
    "judging.rater_replaced": _("Rater %(rater)s was replaced: %(reason)s"),
    "judging.metrics_added": _("Metrics added: %(names)s"),
    "judging.metric_removed": _("Metric removed: %(name)s"),
    "judging.consensus": _("Exhibit %(place)s was settled"),
    "judging.voter_removed": _("Rater %(rater)s left the vote: %(reason)s"),
    "judginground.sealed": _("Sealed"),
    "judginground.meeting": _("The meeting was opened"),
    "judginground.closed": _("Closed"),
    "judginground.stopped": _("Stopped: %(stopped_why)s"),
}
UNTOLD = frozenset(
    f"judging.{kind}"
    for kind in (
        *("entered", "left", "argued", "marked_anew", "proposed", "withdrawn", "confirmed"),
        *("revealed", "parked", "resumed", "pulled_in", "taken_up"),
        "discarded",
    )
)
"""Kinds that are left out: what was said at a meeting stays in its room, where names are hidden until they are
revealed; and a draft that was removed has no page."""


@dataclass(frozen=True)
class HistoryOfRoundLine:
    """When what happened, and whose doing it was ("" if nobody's)."""

    at: datetime
    what: str
    by: str


def history_of(row: JudgingRound) -> list[HistoryOfRoundLine]:
    """The latest that happened, newest first."""
    found = list(Event.objects.filter(subject=events.name(row), kind__in=WORDS).order_by("-pk")[:LATEST])
    people = {event.by for event in found if event.by} | {event.data.get("person") for event in found}
    names = dict(User.objects.filter(pk__in=people - {None}).values_list("pk", "username"))
    return [
        HistoryOfRoundLine(event.at, event_in_words(event, row, names.__getitem__), names.get(event.by or 0, ""))
        for event in found
    ]


def event_in_words(event: Event, row: JudgingRound, name: Callable[[int], str]) -> str:
    """What happened; `name`: of the person with a key."""
    data = {**event.data, "stopped_why": row.stopped_why}
    if "place" in data:
        data["place"] += 1
    if "person" in data:
        data["person"] = name(data["person"])
    if "names" in data:
        data["names"] = ", ".join(data["names"])
    said = gettext(WORDS[event.kind]) % data
    if event.kind == "judging.begun" and data["left_out"]:
        said += " · " + ngettext("left out of %(n)s exhibit", "left out of %(n)s exhibits", data["left_out"]) % {
            "n": data["left_out"]
        }
    if event.kind == "judging.defect" and data["replaced_by"] is not None:
        said += " · " + gettext("exhibit %(place)s is judged instead") % {"place": data["replaced_by"] + 1}
    return said
