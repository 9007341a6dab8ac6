"""One release on its page: its files, what it was made by, what is in it, what is left out and why, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from annotation import releases
from annotation.models import Event, Project, Release, User
from annotation.releases import card
from frontend import markdown
from frontend.leads.releases import left_out, listed, scoring
from frontend.leads.releases.forms import TIMES
from frontend.wording import formatted

NOTES = 20
"""Notes that the page shows; all of them are in the manifest."""


@dataclass(frozen=True)
class Retraction:
    """When and by whom a release was retracted, and why."""

    at: datetime
    by: str
    reason: str


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
        "left_out": left_out.rows(manifest.get("left_out", {}), counts, partial=release.recipe["partial"]),
        "card": card_of(release),
        "compared": bool(manifest) and listed.older_of(release, "") is not None,
        "notes": manifest.get("notes", [])[:NOTES],
        "more_notes": max(0, len(manifest.get("notes", [])) - NOTES),
        "scored": bool(manifest) and scoring.can_be_scored(release),
        "retracted": retraction_of(release),
        "missing": not manifest,
    }


def files_of(release: Release, manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Every file of a release that can be downloaded, with its size on the disk and its hash.

    `sha256` is that of the file, `unpacked` that of the text in a packed one; each is "" if unknown.
    """
    folder = releases.folder_of(release)
    hashes = {"manifest.json": release.manifest_sha256}
    found = []
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


def _hashes(entry: dict[str, Any], manifest: str) -> dict[str, str]:
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


def retraction_of(release: Release) -> Retraction | None:
    """Who retracted it, if it is retracted."""
    if release.state != Release.State.RETRACTED:
        return None
    event = Event.objects.filter(subject=f"release:{release.pk}", kind="release.retracted").order_by("-pk").first()
    if event is None:
        return None
    by = User.objects.filter(pk=event.by or 0).first()
    return Retraction(event.at, by.username if by else "", event.data.get("reason", ""))
