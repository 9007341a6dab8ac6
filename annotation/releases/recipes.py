"""What a release is made by, and whether the project has that."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from annotation.errors import ReleaseRefused
from annotation.models import RELEASED, Project
from annotation.protocol import Format
from annotation.releases import layouts, selection


def recipe_of(
    *,
    format: str,
    splits: Iterable[str] = (),
    partial: bool = False,
    until: datetime | None = None,
    without: Iterable[str] = (),
    times: str = "",
) -> dict[str, Any]:
    """What a release is made by, as its manifest states it; a cut-off and items left out only if there are any.

    `times`: how fine the times in a release with full provenance are (`layouts.TIMES`).
    """
    recipe: dict[str, Any] = {
        "format": format,
        "splits": sorted(splits),
        "partial": partial,
        "purposes": list(RELEASED),
    }
    if until is not None:
        recipe["until"] = until.isoformat()
    if named := sorted(without):
        recipe["without"] = named
    if format == layouts.PROVENANCE:
        recipe["times"] = times or layouts.DEFAULT_TIMES
        if recipe["times"] not in layouts.TIMES:
            raise ReleaseRefused(f"Times are {', '.join(layouts.TIMES)}, not {times}.")
    return recipe


def check_splits(project: Project, found: Format, splits: Iterable[str]) -> None:
    """ReleaseRefused for a split without items, before it takes a version."""
    have = selection.splits(project, found)
    for split in splits:
        if split not in have:
            raise ReleaseRefused(f"{project.slug} has nothing in a split {split}, only in: {', '.join(sorted(have))}.")
