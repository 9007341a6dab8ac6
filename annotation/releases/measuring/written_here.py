"""Who wrote the items of a release here, and how long that took, for its data card."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import Any

from annotation import pseudonyms
from annotation.models import Item, Project
from annotation.releases.measuring import working
from annotation.releases.measuring.counting import CountedItem
from annotation.releases.members import FrozenAnnotation

CHUNK = 500
"""Items in one query."""


def facts(
    project: Project,
    counted: Iterable[CountedItem],
    entries: Iterable[FrozenAnnotation],
    people: set[str],
    *,
    release: str,
    using: str,
) -> dict[str, Any]:
    """`written`: {} or how many items of which kind were written here in annotations that are not in the files
    themselves, by how many people, in how many pieces of work, and the time of those that were measured (`timed`).

    `everybody`: how many people that are together with `people`, the pseudonyms of those who made `entries`.
    """
    inside = {entry["uuid"] for entry in entries}
    made: dict[str, int] = defaultdict(int)
    works: dict[str, str] = {}
    rest = iter([(one.kind, one.name) for one in counted if one.name])
    while part := set(islice(rest, CHUNK)):
        rows = Item.objects.using(using).filter(project=project, made_from__author__isnull=False)
        rows = rows.filter(external_id__any_of={external_id for _kind, external_id in part})
        for kind, external_id, uuid, author in rows.values_list(
            "kind", "external_id", "made_from__uuid", "made_from__author"
        ):
            if (kind, external_id) in part and str(uuid) not in inside:
                made[kind] += 1
                works[str(uuid)] = pseudonyms.pseudonym(release, author)
    if not works:
        return {"written": {}, "everybody": len(people)}
    asked = [{"uuid": uuid, "responses": None} for uuid in works]
    worked = [sum(shares) for _uuid, shares in working.seconds(asked, using=using)]
    writers = set(works.values())
    written = {
        "items": dict(sorted(made.items())),
        "people": len(writers),
        "works": len(works),
        "seconds": sum(worked),
        "timed": len(worked),
    }
    return {"written": written, "everybody": len(people | writers)}
