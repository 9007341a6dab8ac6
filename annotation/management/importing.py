"""The base of the two import commands."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from annotation import clock
from annotation.errors import ImportRefused
from annotation.imports import run
from annotation.management.low_priority import LowPriorityCommand
from annotation.management.progress import Bar, project_of
from annotation.management.sources import add_export, add_field, source_of
from annotation.models import Project
from annotation.parsing.incoming import RefusedLine

SHOWN = 20
"""Refused lines and notes that are printed one by one."""


class ImportCommand(LowPriorityCommand):
    """Import a file into a project, all or nothing, and list refused lines by number, field and reason."""

    published = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("file", type=Path)
        beside = "zip or folder with the pages or images that the file names (default: the folder of the file)"
        parser.add_argument("--zip", "--folder", type=Path, dest="beside", metavar="PATH", help=beside)
        parser.add_argument("--split", default="", help="split of lines that do not name one")
        add_field(parser)
        add_export(parser)

    def handle(
        self, *args: Any, project: str, file: Path, beside: Path | None, split: str, fields: list[Any], **options: Any
    ) -> None:
        target = project_of(project)
        how = {"protocol": target.protocol, "published": self.published, "split": split, "config": target.config}
        source = source_of(file, beside=beside, fields=fields, stated=options, **how)
        bar = Bar(self.stderr, unit="items")
        try:
            report = run.run(target, source, sha256=source.sha256(), by=None, clock=clock.now, progress=bar)
        except run.LinesRefused as refused:
            bar.close()
            self._say_refused(refused.report)
            raise CommandError(self._summary(refused.report, target)) from None
        except ImportRefused as refused:
            raise CommandError(refused.message) from None
        finally:
            bar.close()
        if report.read_as:
            self.stderr.write(report.read_as)
        self._say_notes(report)
        items = "1 item" if report.items == 1 else f"{report.items:,} items"
        annotations = "1 annotation" if report.annotations == 1 else f"{report.annotations:,} annotations"
        there = "1 item was" if report.adopted == 1 else f"{report.adopted:,} items were"
        adopted = f"; {there} already there" if report.adopted else ""
        self.stdout.write(self.style.SUCCESS(f"Imported {items} with {annotations} into {project}{adopted}."))

    def _say_refused(self, report: run.ImportReport) -> None:
        for found in report.refused[:SHOWN]:
            self.stderr.write(_sentence(found))

    def _summary(self, report: run.ImportReport, project: Project) -> str:
        """How many lines were refused and, if they are too many to print, the file that lists them all."""
        count = len({found.line for found in report.refused})
        said = f"{count:,} {'line' if count == 1 else 'lines'} refused; nothing was imported."
        if report.read_until:
            said += f" The file was not read beyond line {report.read_until:,}."
        if len(report.refused) > SHOWN:
            path = settings.GOLDFINCH_DATA / "imports" / f"{project.slug}-refused.txt"
            path.write_text("".join(f"{_sentence(found)}\n" for found in report.refused), encoding="utf-8")
            said += f" All of them: {path}"
        return said

    def _say_notes(self, report: run.ImportReport) -> None:
        told = list(islice(report.notes, SHOWN))
        for line, note, count in told:
            more = f" ({count:,} times)" if count > 1 else ""
            self.stdout.write(f"Kept, line {line:,}: {note}{more}")
        left = report.notes.total - sum(note.times for note in told)
        if left:
            self.stdout.write(f"... and {left:,} more notes.")


def _sentence(refused: RefusedLine) -> str:
    field = f", {refused.field}" if refused.field else ""
    return f"Line {refused.line:,}{field}: {refused.reason}"
