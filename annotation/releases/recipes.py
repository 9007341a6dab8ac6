"""What a release is made by, and whether the project has that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from annotation import pseudonyms
from annotation.errors import ReleaseRefused
from annotation.imports import fields_around
from annotation.models import RELEASED, Project
from annotation.parsing.envelopes import Envelope
from annotation.protocol import Format
from annotation.releases import layouts, selection

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
    `times`: how fine the times in a release with full provenance are (`layouts.TIMES`). `name_writers`: name
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
    if format == layouts.PROVENANCE:
        recipe["times"] = times or layouts.DEFAULT_TIMES
        if recipe["times"] not in layouts.TIMES:
            raise ReleaseRefused(f"Times are {', '.join(layouts.TIMES)}, not {times}.")
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
