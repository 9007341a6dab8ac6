"""The hosts that the site may call, as its admins see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.models import AllowedHost, Event, User
from annotation.outgoing import calling

HISTORY: dict[str, Any] = {calling.ALLOWED: _("Allowed"), calling.REMOVED: _("Removed")}
LATEST = 50


@dataclass(frozen=True)
class HostEvent:
    """What was decided about a host (its name), by whom (theirs), and when."""

    what: str
    name: str
    by: str
    at: datetime


def listed() -> list[AllowedHost]:
    """All of them, by name, with who allowed them."""
    return list(AllowedHost.objects.select_related("by").order_by("name"))


def history() -> list[HostEvent]:
    """The latest decisions about hosts, newest first."""
    found = list(Event.objects.filter(kind__in=HISTORY).order_by("-pk")[:LATEST])
    people = dict(User.objects.filter(pk__in={row.by for row in found}).values_list("pk", "username"))
    return [HostEvent(str(HISTORY[row.kind]), row.data["name"], people.get(row.by or 0, ""), row.at) for row in found]
