"""What a release would contain if it were built now: the same selection, without files and without a version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db import transaction

from annotation.errors import ReleaseRefused
from annotation.models import Annotation, Project, items_in_work
from annotation.protocol import Format
from annotation.releases import contents, layouts, load, members, recipes, selection
from annotation.releases.measuring import counting, left_out


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
    recipe = recipes.recipe_of(format=found.key, **options)
    recipes.check_splits(project, found, recipe["splits"])
    with transaction.atomic(using=using):
        chosen = list(
            members.choose(project, found, recipe=recipe, release="", counts=counts, using=using, looked_at=looked_at)
        )
        number = len(chosen)
        if found.counted:
            counted = list(_counted(project, found, chosen, using=using))
            counts = counting.counts(found, chosen, counted, counts)
            number = number if counted else 0  # the build would refuse
        return {
            "members": number,
            "people": len(counts.people),
            "counts": contents.counts_of(project, found, recipe, counts, using=using),
            "left_out": left_out.left_out(project, found, recipe=recipe, using=using),
        }


def _counted(
    project: Project, release_format: Format, chosen: list[members.FrozenMember], *, using: str
) -> Iterator[counting.CountedItem]:
    """What the format has of them; if it refuses one, all of that, since the build will say why."""
    for member, record in zip(chosen, load.records(project, chosen, using=using), strict=True):
        try:
            yield from list(counting.of_record(release_format, record))
        except ReleaseRefused:
            yield from counting.of_members([member])


def is_quick(project: Project, *, format: str) -> bool:
    """Whether a preview is made within a request; otherwise a job makes it."""
    wanted = selection.activities_of(layouts.format_of(project, format))
    rows = Annotation.objects.filter(wanted, items_in_work("item__"), item__project=project)
    return rows[: QUICK + 1].count() <= QUICK


QUICK = 2000
"""Annotations that are selected within 0.2 s or so."""
