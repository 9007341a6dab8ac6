"""What changed between two releases, for its page and as a table of all changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Release
from annotation.releases import changes
from annotation.releases.changes import ReleaseChange
from frontend.leads.releases import listed, shown

SHOWN = 100
"""Changes that the page lists; the table has all of them."""
WHAT = {
    changes.ADDED: gettext_lazy("added"),
    changes.REMOVED: gettext_lazy("removed"),
    changes.CHANGED: gettext_lazy("revised"),
}
WHY = {
    "excluded": gettext_lazy("excluded"),
    "late": gettext_lazy("it came too late"),
    "split": gettext_lazy("its split is left out"),
    "named": gettext_lazy("left out by name, as the format can’t represent it"),
    "after": gettext_lazy("finished after the cut-off"),
    "incomplete": gettext_lazy("its item lacks annotations now"),
}
HEAD = ("change", "of", "kind", "item", "split", "annotation", "why", "reason")


def page_of(release: Release, older: Release) -> dict[str, Any]:
    """The counts, the first changes with links, and what else differs."""
    counts, first = changes.counted(older, release, at_most=SHOWN)
    keys = changes.items_by_name(release.project, first)
    every = sum(counts.items.values()) + sum(counts.annotations.values())
    return {
        "project": release.project,
        "noun": listed.noun_counted(release.project),
        "release": release,
        "older": older,
        "others": listed.others(release),
        "counts": [
            (WHAT[what], counts.items.get(what, 0), counts.annotations.get(what, 0))
            for what in (changes.ADDED, changes.REMOVED, changes.CHANGED)
        ],
        "changes": [_change_in_words(one, keys) for one in first],
        "every": every,
        "more": every > len(first),
        "differences": list(_differences(older, release)),
    }


def _change_in_words(change: ReleaseChange, keys: dict[tuple[str, str], int]) -> dict[str, Any]:
    why = str(WHY.get(change.why, ""))
    return {
        "what": WHAT[change.what],
        "change": change.what,
        "item": change.item,
        "key": keys.get((change.kind, change.item)),
        "split": change.split,
        "annotation": change.annotation,
        "why": f"{why}: {change.reason}" if change.reason else why,
    }


def table(release: Release, older: Release) -> Iterator[tuple[str, ...]]:
    """Every change, and the names of the columns before them."""
    yield HEAD
    for one in changes.changes(older, release):
        of = "annotation" if one.annotation else "item"
        yield one.what, of, one.kind, one.item, one.split, one.annotation, one.why, one.reason


def _differences(older: Release, newer: Release) -> Iterator[tuple[str, str, str]]:
    """What else differs: name, before, after."""
    one, other = listed.manifest_of(older), listed.manifest_of(newer)
    for title, of in (
        (_("Format"), lambda one: listed.format_title(newer.project, one["recipe"]["format"])),
        (_("Recipe"), lambda one: " ".join(shown.recipe_in_words(one["recipe"]))),
        (_("Guidelines"), lambda one: ", ".join(str(row["number"]) for row in one["measured"]["guidelines"])),
        (_("People"), lambda one: str(listed.people_in(one))),
        (_("Decisions of experts"), lambda one: str(one.get("decisions", {}).get("records", 0))),
        (_("Judging rounds"), lambda one: str(len(one.get("rounds", ())))),
        (_("Code"), lambda one: one["code_version"]),
    ):
        before, after = _value(one, of), _value(other, of)
        if before != after:
            yield title, before, after


def _value(manifest: dict[str, Any], value_of: Callable[[dict[str, Any]], str]) -> str:
    """Releases of earlier versions lack some of it."""
    try:
        return value_of(manifest)
    except KeyError:
        return "–"
