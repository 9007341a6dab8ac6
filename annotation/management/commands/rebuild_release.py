"""rebuild_release PROJECT VERSION [--out DIR]: rebuild a frozen release, byte for byte."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.management.base import LowPriorityCommand
from annotation.management.progress import Bar, new_folder, project_of, refusals
from annotation.models import Release
from annotation.releases import rebuild


class Command(LowPriorityCommand):
    """Rebuild a release from its members; without --out only compare the bytes."""

    help = "Rebuild a frozen release and compare it byte for byte."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("version", type=int)
        parser.add_argument("--out", type=Path, help="folder to build it in (default: only compare)")

    def handle(self, *args: Any, project: str, version: int, out: Path | None, **options: Any) -> None:
        ready = project_of(project).releases.select_related("project").filter(state=Release.State.READY)
        release = ready.filter(version=version).first()
        if release is None:
            raise CommandError(f"{project} has no finished release {version}.")
        place = new_folder(out) if out else tempfile.TemporaryDirectory()
        with place as folder, closing(Bar(self.stderr, unit="items")) as bar, refusals():
            rebuild.rebuild(release, Path(folder), progress=lambda done, total: bar("write", done, total))
        where = f" in {out}" if out else ""
        self.stdout.write(self.style.SUCCESS(f"Rebuilt release {version} of {project}{where}, byte for byte the same."))
