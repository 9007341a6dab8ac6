"""export_release PROJECT [--format KEY]: freeze the work finished so far as a release."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation import clock, registry, releases
from annotation.exchange.writing import LAYOUTS
from annotation.management.base import LowPriorityCommand
from annotation.management.importing import SHOWN
from annotation.management.progress import Bar, new_folder, project_of, refusals
from annotation.models import Project, Release
from annotation.releases import recipes


class Command(LowPriorityCommand):
    """Build a release in the data folder and, with --out, copy it."""

    help = "Build a release of a project."

    def add_arguments(self, parser: CommandParser) -> None:
        own = [found for protocol in registry.all_protocols() for found in protocol.formats]
        formats = {key for found in own for key in (found.key, *found.former)}
        parser.add_argument("project")
        parser.add_argument(
            "--format",
            default="",
            choices=sorted(formats | {recipes.PROVENANCE, recipes.HUGGING_FACE} | set(LAYOUTS)),
            help="how it is written (default: the first published layout of the project's protocol)",
        )
        parser.add_argument("--out", type=Path, help="folder to copy the release to")
        parser.add_argument("--split", action="append", default=[], help="only this split (may be repeated)")
        parser.add_argument("--until", type=datetime.fromisoformat, help="only what was said until then, as ISO 8601")
        times = "how fine the times in the format provenance are (default: day)"
        parser.add_argument("--times", default="", choices=list(recipes.TIMES), help=times)
        writers = "name whoever wrote an item here by a pseudonym; they can then be joined over releases"
        parser.add_argument("--writers", action="store_true", help=writers)
        parser.add_argument("--partial", action="store_true", help="also include items that lack annotations")

    def handle(
        self,
        *args: Any,
        project: str,
        format: str,
        out: Path | None,
        split: list[str],
        until: datetime | None,
        times: str,
        partial: bool,
        writers: bool,
        **options: Any,
    ) -> None:
        target = project_of(project)
        if until is not None and until.tzinfo is None:
            until = until.replace(tzinfo=UTC)
        recipe = {"format": format, "splits": split, "partial": partial, "until": until, "times": times}
        recipe["name_writers"] = writers
        if out is None:
            release = self._build(target, recipe)
        else:
            with new_folder(out) as copy:  # made before the build, so that an impossible place is refused first
                release = self._build(target, recipe)
                _copy(release, copy, out)
        self._say(releases.manifest_of(release), release, out or releases.folder_of(release))

    def _build(self, project: Project, recipe: dict[str, Any]) -> Release:
        with closing(Bar(self.stderr, unit="items")) as bar, refusals():
            return releases.build(
                project,
                **recipe,
                by=None,
                now=clock.now(),
                progress=lambda done, total: bar("write" if total else "choose", done, total),
            )

    def _say(self, manifest: dict[str, Any], release: Release, folder: Path) -> None:
        for found in manifest["files"]:
            self.stdout.write(f"{found['name']}: {found['records']:,} records, {_text_of(found):,} bytes of text")
        for split, counts in manifest["counts"].items():
            if counts["left_out_incomplete"]:
                self.stdout.write(f"{split}: items left out for lack of annotations: {counts['left_out_incomplete']:,}")
        for note in manifest["notes"][:SHOWN]:
            self.stdout.write(f"Note: {note}")
        if len(manifest["notes"]) > SHOWN:
            self.stdout.write(f"... and {len(manifest['notes']) - SHOWN:,} more notes in the manifest.")
        self.stdout.write(
            self.style.SUCCESS(f"Release {release.version} of {release.project.slug} is ready in {folder}.")
        )


def _text_of(entry: dict[str, Any]) -> int:
    return int(entry.get("unpacked_bytes", entry["bytes"]))


def _copy(release: Release, copy: Path, out: Path) -> None:
    """Copy what is given out, not the members."""
    folder = releases.folder_of(release)
    try:
        for entry in releases.files_in(releases.manifest_of(release)):
            shutil.copy2(folder / entry["name"], copy / entry["name"])
    except (OSError, shutil.Error) as error:
        raise CommandError(
            f"Release {release.version} of {release.project.slug} is ready in {folder}, "
            f"but could not be copied to {out}: {error}. Copy it from there."
        ) from None
