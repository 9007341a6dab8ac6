"""export_release PROJECT --format KEY: freeze the work finished so far as a release."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation import clock, releases
from annotation import protocol as registry
from annotation.management.importing import SHOWN
from annotation.management.low_priority import LowPriorityCommand
from annotation.management.progress import Bar, project_of, refusals


class Command(LowPriorityCommand):
    """Build a release in the data folder and, with --out, copy it."""

    help = "Build a release of a project."

    def add_arguments(self, parser: CommandParser) -> None:
        formats = sorted({found.key for protocol in registry.all_protocols() for found in protocol.formats})
        parser.add_argument("project")
        parser.add_argument("--format", required=True, choices=formats)
        parser.add_argument("--out", type=Path, help="folder to copy the release to")
        parser.add_argument("--split", action="append", default=[], help="only this split (may be repeated)")
        parser.add_argument("--partial", action="store_true", help="also include items that lack annotations")

    def handle(
        self, *args: Any, project: str, format: str, out: Path | None, split: list[str], partial: bool, **options: Any
    ) -> None:
        if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise CommandError(f"{out} already exists and is not an empty folder.")
        bar = Bar(self.stderr, unit="items")
        try:
            with refusals():
                release = releases.build(
                    project_of(project),
                    format=format,
                    by=None,
                    now=clock.now(),
                    splits=split,
                    partial=partial,
                    progress=lambda done, total: bar("write", done, total),
                )
        finally:
            bar.close()
        folder = releases.folder_of(release)
        if out is not None:
            shutil.copytree(folder, out, dirs_exist_ok=True)
        self._say(releases.manifest_of(release), release, out or folder)

    def _say(self, manifest: dict[str, Any], release: Any, folder: Path) -> None:
        for found in manifest["files"]:
            self.stdout.write(f"{found['name']}: {found['records']:,} records, {found['bytes']:,} bytes of text")
        for split, counts in manifest["counts"].items():
            if counts["left_out_incomplete"]:
                self.stdout.write(f"{split}: {counts['left_out_incomplete']:,} items left out, lacking annotations")
        for note in manifest["notes"][:SHOWN]:
            self.stdout.write(f"Note: {note}")
        if len(manifest["notes"]) > SHOWN:
            self.stdout.write(f"... and {len(manifest['notes']) - SHOWN:,} more notes in the manifest.")
        self.stdout.write(
            self.style.SUCCESS(f"Release {release.version} of {release.project.slug} is ready in {folder}.")
        )
