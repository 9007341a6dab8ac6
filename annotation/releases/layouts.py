"""The formats that every protocol can be released in, besides its own layouts; docs/releases.md describes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from annotation import registry
from annotation.errors import ReleaseRefused
from annotation.exchange import writing as exchange
from annotation.i18n import _
from annotation.models import Project
from annotation.protocol import Format
from annotation.values.exchange import Exchange
from annotation.values.records import ReleaseRecord

PROVENANCE, HUGGING_FACE = "provenance", "huggingface"
TIMES = {"none": "", "month": "%Y-%m", "day": "%Y-%m-%d", "hour": "%Y-%m-%dT%HZ"}
"""How fine the times in a release may be -> how they are written (UTC)."""
COARSEST = "none"
DEFAULT_TIMES = "day"


def formats_of(project: Project) -> tuple[Format, ...]:
    """The protocol's layouts, then those that every protocol has; the first is the default.

    The latter have the same members as the first, and so have those for other tools, where the protocol gives any.
    """
    protocol = registry.get(project.protocol)
    own = protocol.formats
    if not own:
        return ()
    plain = replace(own[0], former=(), shard_size=0, container="lines", group="", notes=lambda record: ())
    return (
        *own,
        replace(
            plain,
            key=PROVENANCE,
            title=_("JSON Lines with full provenance"),
            pattern="{split}.jsonl.gz",
            counted=None,
        ),
        replace(plain, key=HUGGING_FACE, title=_("Hugging Face dataset"), pattern="{split}.parquet"),
        *(_exchanged(plain, key, protocol.exchange) for key in exchange.LAYOUTS if protocol.exchange is not None),
    )


def _exchanged(plain: Format, key: str, given: Exchange) -> Format:
    """A format in the layout of another tool."""
    layout = exchange.LAYOUTS[key]
    return replace(
        plain,
        key=key,
        title=layout.title,
        pattern=layout.pattern,
        container=layout.container,
        notes=lambda record: exchange.notes(layout, given, record),
        counted=lambda record: exchange.counted(layout, given, record),
    )


def entries_of(project: Project, release_format: Format, records: Iterable[ReleaseRecord]) -> Iterable[Any]:
    """What a file of the format has of records: JSON values, or (key, value) pairs for an object."""
    protocol = registry.get(project.protocol)
    if release_format.key in exchange.LAYOUTS and protocol.exchange is not None:
        return exchange.records(exchange.LAYOUTS[release_format.key], protocol.exchange, records)
    return protocol.write(release_format.key, records)


def format_of(project: Project, key: str) -> Format:
    """The format that has or had that key, for "" the default; otherwise ReleaseRefused, listing those that exist."""
    formats = formats_of(project)
    for found in formats:
        if key in ("", found.key, *found.former):
            return found
    raise ReleaseRefused(f"{project.protocol} has no format {key}, only {', '.join(f.key for f in formats)}.")


def coarse(at: datetime | None, times: str) -> str | None:
    """A time as a release may state it: None if it states none."""
    return at.strftime(TIMES[times]) if at is not None and TIMES[times] else None
