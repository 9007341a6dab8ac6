"""What a release would contain if it were built now: the same selection, without files and without a version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction

from annotation.models import Annotation, Project
from annotation.releases import contents, layouts, left_out, members, recipes, selection


def preview(
    project: Project,
    *,
    format: str,
    looked_at: Callable[[int], None] = lambda number: None,
    using: str = "snapshot",
    **options: Any,
) -> dict[str, Any]:
    """Counts by split as in a manifest, what is left out and why, and the number of people, as in a data card. JSON."""
    found, counts = layouts.format_of(project, format), members.Counts()
    recipe = recipes.recipe_of(format=format, **options)
    recipes.check_splits(project, found, recipe["splits"])
    with transaction.atomic(using=using):
        chosen = members.choose(
            project, found, recipe=recipe, release="", counts=counts, using=using, looked_at=looked_at
        )
        number = sum(1 for _member in chosen)
        return {
            "members": number,
            "people": len(counts.people),
            "counts": contents.counts_of(project, found, recipe, counts, using=using),
            "left_out": left_out.left_out(project, found, recipe=recipe, using=using),
        }


def is_quick(project: Project, *, format: str) -> bool:
    """Whether a preview is made within a request; otherwise a job makes it."""
    rows = Annotation.objects.filter(selection.activities_of(layouts.format_of(project, format)), item__project=project)
    return rows[: QUICK + 1].count() <= QUICK


QUICK = 2000
"""Annotations that are selected within 0.2 s or so."""
