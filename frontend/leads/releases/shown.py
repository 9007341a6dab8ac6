"""One release on its page: its files, what it was made by, what is in it, what is left out and why, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, TypedDict

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import releases
from annotation.models import Event, Project, Release
from annotation.releases import card, changes
from annotation.releases.changes import ReleaseChange
from annotation.releases.hashed_files import ReleaseFile
from frontend import markdown
from frontend.leads.event_lines import EventLine, event_lines
from frontend.leads.releases import listed, scoring
from frontend.leads.releases.forms import TIMES
from frontend.wording import formatted

NOTES = 20
"""Notes that the page shows; all of them are in the manifest."""


def page_of(project: Project, release: Release | None, *, now: datetime) -> dict[str, Any]:
    """The list of releases, the builds under way, and one release (None: there is none)."""
    builds = listed.builds(project, now=now)
    return {
        "project": project,
        "releases": listed.releases_of(project),
        "builds": builds,
        "builds_open": any(build.is_open for build in builds),
        "noun": listed.noun_counted(project),
        "shown": detail(release) if release else None,
    }


def detail(release: Release) -> dict[str, Any]:
    """What the page says about a release."""
    manifest = listed.manifest_of(release)
    counts = manifest.get("counts", {})
    return {
        "release": release,
        "format": listed.format_title(release.project, release.recipe["format"]),
        "by": release.by.username if release.by else "",
        "files": (files := files_of(release, manifest)),
        "archive": next((file for file in files if file["name"].endswith(".zip")), None),
        "counts": [{"split": split, **row} for split, row in counts.items()],
        "people": listed.people_in(manifest),
        "writers": manifest.get("measured", {}).get("written", {}).get("people", 0),
        "recipe": list(recipe_in_words(release.recipe)),
        "left_out": listed.left_out_rows(manifest.get("left_out", {}), counts, partial=release.recipe["partial"]),
        "card": card_of(release),
        "compared": bool(manifest) and listed.older_of(release, "") is not None,
        "notes": manifest.get("notes", [])[:NOTES],
        "more_notes": max(0, len(manifest.get("notes", [])) - NOTES),
        "scored": bool(manifest) and scoring.can_be_scored(release),
        "retracted": retraction_of(release),
        "missing": not manifest,
    }


class FileHashes(TypedDict):
    """`sha256` is that of the file, `unpacked` that of the text in a packed one; each is "" if unknown."""

    sha256: str
    unpacked: str


class FileToDownload(FileHashes):
    """A file of a release, with its size on the disk (None if it is not there), and its hashes."""

    name: str
    records: int | None
    size: int | None
    url: str


def files_of(release: Release, manifest: dict[str, Any]) -> list[FileToDownload]:
    """Every file of a release that can be downloaded."""
    folder = releases.folder_of(release)
    hashes = {"manifest.json": release.manifest_sha256}
    found: list[FileToDownload] = []
    for entry in releases.files_in(manifest):
        path = folder / entry["name"]
        url = reverse("release_file", args=[release.project.slug, release.version, entry["name"]])
        found.append(
            {
                "name": entry["name"],
                "records": entry.get("records"),
                "size": path.stat().st_size if path.exists() else None,
                **_hashes(entry, hashes.get(entry["name"], "")),
                "url": url,
            }
        )
    return found


def _hashes(entry: ReleaseFile, manifest: str) -> FileHashes:
    """Releases of the first writer state the hash of a packed file's text only."""
    known = entry.get("sha256") or manifest
    if entry["name"].endswith(".gz") and "unpacked_sha256" not in entry:
        return {"sha256": "", "unpacked": known}
    return {"sha256": known, "unpacked": entry.get("unpacked_sha256", "")}


def card_of(release: Release) -> Any:
    """The frozen data card as HTML, without its head and its title; None if an earlier version wrote none."""
    try:
        text = (releases.folder_of(release) / card.NAME).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    _head, _line, body = text.removeprefix("---\n").partition("---\n")
    return markdown.document(body.strip()).html


def recipe_in_words(recipe: dict[str, Any]) -> list[str]:
    """How the members were chosen."""
    words = [
        _("Splits: %(names)s.") % {"names": ", ".join(name or "–" for name in recipe["splits"])}
        if recipe["splits"]
        else _("Every split that is not sequestered."),
        _("Items that lack annotations are included if they have at least one.")
        if recipe["partial"]
        else _("Only items that have all of their annotations."),
        _("Finished work and imported annotations; no exams, checks, studies or references."),
    ]
    if recipe.get("times"):
        words.append(_("Times: %(fineness)s.") % {"fineness": TIMES[recipe["times"]].lower()})
    if recipe.get("name_writers"):
        words.append(_("Whoever wrote something here is named by a pseudonym."))
    if recipe.get("until"):
        until = localtime(datetime.fromisoformat(recipe["until"]))
        words.append(_("Nothing that was said after %(at)s counts.") % {"at": formatted(until, "j F Y, H:i T")})
    return words


def retraction_of(release: Release) -> EventLine | None:
    """By whom, when and why it was retracted, if it was."""
    if release.state != Release.State.RETRACTED:
        return None
    event = Event.objects.filter(subject=f"release:{release.pk}", kind="release.retracted").order_by("-pk").first()
    return event_lines([event], reason=lambda row: row.data.get("reason", ""))[0] if event else None


CHANGES_SHOWN = 100
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


def changes_page(release: Release, older: Release) -> dict[str, Any]:
    """The counts, the first changes with links, and what else differs."""
    counts, first = changes.counted(older, release, at_most=CHANGES_SHOWN)
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


def changes_table(release: Release, older: Release) -> Iterator[tuple[str, ...]]:
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
        (_("Recipe"), lambda one: " ".join(recipe_in_words(one["recipe"]))),
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
