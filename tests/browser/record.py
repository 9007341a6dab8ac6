"""What the record holds of a person whose browser was at work: traces, events, spans of time."""

from __future__ import annotations

import json
from typing import Any

from tests.site import Site


def _ask(site: Site, expression: str) -> Any:
    code = f"import json; from annotation.models import Event, TimeSpan, User; print('SAID', json.dumps({expression}))"
    return json.loads(site.manage("shell", "-c", code).split("SAID", 1)[1])


def events(site: Site, name: str, kind: str) -> list[dict[str, Any]]:
    """The data of this person's events of a kind, in order."""
    rows = f"Event.objects.filter(kind={kind!r}, by=User.objects.get(username={name!r}).pk).order_by('pk')"
    return _ask(site, f"[row.data for row in {rows}]")


def lines(site: Site, name: str) -> list[tuple[str, dict[str, Any]]]:
    """This person's traces: (kind, data), in order."""
    return [(line[1], line[2]) for data in events(site, name, "screen.traced") for line in data["lines"]]


def spans(site: Site, name: str) -> list[tuple[str, str, float]]:
    """The spans of this person's time, in order: (stage, kind, seconds)."""
    rows = f"TimeSpan.objects.filter(annotator__username={name!r}).order_by('begun_at')"
    return [tuple(row) for row in _ask(site, f"[[row.stage, row.kind, row.seconds] for row in {rows}]")]


def held_since(site: Site, name: str, *, hours: int) -> None:
    """Backdate the claim of this person's work by so many hours, to make room for the browser's times."""
    code = (
        "from datetime import timedelta; from django.db.models import F; from tasks.models import Assignment; "
        f"mine = Assignment.objects.filter(annotator__username={name!r}); "
        f"mine.update(claimed_at=F('claimed_at') - timedelta(hours={hours}))"
    )
    site.manage("shell", "-c", code)
