"""The protocols from which a new project can be made, as the first step shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.translation import gettext

from annotation.protocol import Protocol
from frontend.leads.setup.number_words import overlap_in_words


@dataclass(frozen=True)
class ProtocolCard:
    """`picture`: the static file with a picture of its work screen, "" if there is none."""

    key: str
    title: str
    picture: str
    activities: list[dict[str, Any]]


def protocol_card(protocol: Protocol) -> ProtocolCard:
    """In the reader's language."""
    picture = f"{protocol.key}/work-screen.webp"
    return ProtocolCard(
        key=protocol.key,
        title=gettext(protocol.title),
        picture=picture if finders.find(picture) else "",
        activities=[
            {
                "title": gettext(activity.title),
                "description": gettext(activity.description),
                "stages": [gettext(stage.title) for stage in activity.stages],
                "overlap": [(split, overlap_in_words(number)) for split, number in activity.overlap.items()],
                "minutes": activity.minutes,
                "seconds": activity.published_seconds,
                "people": len(activity.seats),
            }
            for activity in protocol.activities
        ],
    )
