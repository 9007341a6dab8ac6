"""What a release is made by, and whether the project has that: its recipe and its format.

docs/releases.md describes the formats that every protocol can be released in, besides its own layouts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from annotation import pseudonyms, registry
from annotation.errors import ReleaseRefused
from annotation.exchange import writing as exchange
from annotation.i18n import _
from annotation.imports import fields_around
from annotation.models import RELEASED, Project
from annotation.parsing.envelopes import Envelope
from annotation.protocol import Format
from annotation.releases import selection
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


WRITER = 3
"""The number of the writer of new releases, which stands in their recipe as `writer`; docs/decisions.md says what each
does. Recipes from before there was a second one have no number."""
HUB_COLUMNS = ARCHIVES = 3
"""The first writer of the hub's columns, and of archives of all formats."""
Recipe = Mapping[str, Any]


def recipe_of(
    *,
    format: str,
    splits: Iterable[str] = (),
    partial: bool = False,
    until: datetime | None = None,
    without: Iterable[str] = (),
    times: str = "",
    name_writers: bool = False,
) -> dict[str, Any]:
    """What a release is made by, as its manifest states it; a cut-off and items left out only if there are any.

    `until`: nothing said later counts. `without`: items to leave out (`selection.name_of`).
    `times`: how fine the times in a release with full provenance are (`TIMES`). `name_writers`: name
    whoever wrote an item here by a pseudonym, by which they can be joined over releases, since items keep their ids.
    """
    recipe: dict[str, Any] = {
        "format": format,
        "splits": sorted(splits),
        "partial": partial,
        "purposes": list(RELEASED),
        "writer": WRITER,
    }
    if until is not None:
        recipe["until"] = until.isoformat()
    if named := sorted(without):
        recipe["without"] = named
    if name_writers:
        recipe["name_writers"] = True
    if format == PROVENANCE:
        recipe["times"] = times or DEFAULT_TIMES
        if recipe["times"] not in TIMES:
            raise ReleaseRefused(f"Times are {', '.join(TIMES)}, not {times}.")
    return recipe


def writer_of(recipe: Recipe) -> int:
    """The number of the writer that a release was made by, so that it is rebuilt as it was."""
    return int(recipe.get("writer", 1))


def id_in(recipe: Recipe, release: str, uuid: str) -> str:
    """The id of an annotation in this release; the first writer gave it the same one in every release."""
    return pseudonyms.id_in(release, uuid) if writer_of(recipe) > 1 else pseudonyms.id_hex(uuid)


def names_writers(recipe: Recipe) -> bool:
    """Whether a pseudonym of whoever wrote an item stands beside it; with the first writer it always does."""
    return writer_of(recipe) == 1 or bool(recipe.get("name_writers"))


def with_fields_around(recipe: dict[str, Any], project: Project, release_format: Format) -> dict[str, Any]:
    """The recipe with the fields that the imported files of its splits have beside their lists, as `around`.

    They are frozen in it, so that later imports don't change a rebuild. As `fields_around.of_layout` places them: by
    split, pairs of a name and a JSON text `before` and `after` the list. Without such fields the recipe is as it was.
    """
    if not isinstance(release_format.container, Envelope):
        return recipe
    named = recipe["splits"] or selection.splits(project, release_format)
    splits = [one for one in named if recipe["splits"] or not selection.is_sequestered(project, one)]
    imported = fields_around.as_imported(project, splits, until=selection.until_of(recipe))
    around = {split: fields_around.of_layout(release_format.container, sides) for split, sides in imported.items()}
    found = {split: placed for split, placed in around.items() if placed}
    return recipe | ({"around": found} if found else {})


def check_splits(project: Project, release_format: Format, splits: Iterable[str]) -> None:
    """ReleaseRefused for a split without items, before it takes a version."""
    have = selection.splits(project, release_format)
    for split in splits:
        if split not in have:
            raise ReleaseRefused(f"{project.slug} has nothing in a split {split}, only in: {', '.join(sorted(have))}.")
