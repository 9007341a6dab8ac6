"""Whether a frozen release has an item: whoever has the release knows what was said about it."""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Iterable
from contextlib import suppress

import orjson
from django.core.cache import cache

from annotation.models import Item, Project, Release
from annotation.releases import building, contents

FROZEN = (Release.State.READY, Release.State.RETRACTED)
"""A retracted release stays with those who have it."""


def release_with(project: Project, items: Iterable[Item]) -> Release | None:
    """The latest frozen release that has one of these items, or whose files are gone, so that nobody can tell."""
    names = sorted(map(_as_written, items))
    for release in project.releases.filter(state__in=FROZEN).order_by("-version") if names else ():
        if _has_one(release, names):
            return release
    return None


def _as_written(item: Item) -> bytes:
    """How the item stands in the members of a release, which are written with sorted keys."""
    return orjson.dumps({"external_id": item.external_id, "kind": item.kind}, option=orjson.OPT_SORT_KEYS)[1:-1]


def _has_one(release: Release, names: list[bytes]) -> bool:
    """What a release has never changes, so it is looked up once."""
    asked = hashlib.sha256(b"\n".join([release.members_sha256.encode(), *names])).hexdigest()
    known: bool | None = cache.get(f"release-has-{asked}")
    if known is not None:
        return known
    with suppress(FileNotFoundError), (building.folder_of(release) / contents.MEMBERS).open("rb") as file:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as members:
            found = any(members.find(name) >= 0 for name in names)
        cache.set(f"release-has-{asked}", found, None)
        return found
    return True
