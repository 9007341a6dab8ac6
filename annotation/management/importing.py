"""The two import commands: the same but for what the file is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation import clock, ingest
from annotation.errors import ImportRefused
from annotation.management.progress import Bar, project_of
from annotation.sources import FileSource

SHOWN = 20
"""Refused lines and notes that are printed one by one."""


class ImportCommand(BaseCommand):
    """Read a file into a project, all or nothing, and say every refused line by number, field and reason."""

    published = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("file", type=Path)
        parser.add_argument("--zip", type=Path, dest="beside", help="zip with the pages or images that the file names")
        parser.add_argument("--split", default="", help="the split of lines that name none")

    def handle(self, *args: Any, project: str, file: Path, beside: Path | None, split: str, **options: Any) -> None:
        for path in filter(None, (file, beside)):
            if not path.is_file():
                raise CommandError(f"There is no file {path}.")
        target = project_of(project)
        source = FileSource(path=file, published=self.published, split=split, beside=beside, config=target.config)
        bar = Bar(self.stderr, unit="items")
        try:
            report = ingest.run(target, source, sha256=source.sha256(), by=None, clock=clock.now, progress=bar)
        except ingest.LinesRefused as refused:
            bar.close()
            self._say_refused(refused.report)
            raise CommandError(f"{len(refused.report.refused):,} lines are refused; nothing was imported.") from None
        except ImportRefused as refused:
            raise CommandError(refused.message) from None
        finally:
            bar.close()
        self._say_notes(report)
        adopted = f", {report.adopted:,} were there already" if report.adopted else ""
        self.stdout.write(
            self.style.SUCCESS(
                f"Imported {report.items:,} items with {report.annotations:,} annotations into {project}{adopted}."
            )
        )

    def _say_refused(self, report: ingest.Report) -> None:
        for found in report.refused[:SHOWN]:
            field = f", {found.field}" if found.field else ""
            self.stderr.write(f"Line {found.line:,}{field}: {found.reason}")
        if len(report.refused) > SHOWN:
            self.stderr.write(f"... and {len(report.refused) - SHOWN:,} more lines.")

    def _say_notes(self, report: ingest.Report) -> None:
        for line, note in report.notes[:SHOWN]:
            self.stdout.write(f"Kept, line {line:,}: {note}")
        if len(report.notes) > SHOWN:
            self.stdout.write(f"... and {len(report.notes) - SHOWN:,} more notes.")
