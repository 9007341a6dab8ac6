"""The base of the two import commands, and the file or folder that a command reads raw items from."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from annotation import clock, registry
from annotation.errors import ImportRefused
from annotation.exchange.options import PROMPT_FIELD, TITLES, ExportOptions
from annotation.exchange.reading import ending_in_zip, options_for
from annotation.imports import run
from annotation.management.base import LowPriorityCommand
from annotation.management.progress import Bar, project_of
from annotation.models import Project
from annotation.parsing.incoming import RefusedLine
from annotation.parsing.sources import FileSource
from annotation.parsing.text_zips import TextFolder, TextZip, has_texts

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
        try:
            with closing(Bar(self.stderr, unit="items")) as bar:
                report = run.run(target, source, sha256=source.sha256(), by=None, clock=clock.now, progress=bar)
        except run.LinesRefused as refused:
            self._say_refused(refused.report)
            raise CommandError(self._summary(refused.report, target)) from None
        except ImportRefused as refused:
            raise CommandError(refused.message) from None
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


def add_field(parser: argparse.ArgumentParser) -> None:
    """The option --field NAME=VALUE, which may come several times."""
    what = "a field that all texts of a folder or zip have, such as domain=news; may be repeated"
    parser.add_argument("--field", dest="fields", action="append", default=[], type=_field, metavar="K=V", help=what)


def add_export(parser: argparse.ArgumentParser) -> None:
    """The options for the export of another tool, which is recognised if none is named."""
    group = parser.add_argument_group("export of another annotation tool (docs/switching.md)")
    group.add_argument("--tool", choices=list(TITLES), help="which one (default: it is recognised)")
    group.add_argument("--text-field", metavar="NAME", help="field with the text (default: text)")
    group.add_argument("--prompt-field", metavar="NAME", help=f"field with what is asked (default: {PROMPT_FIELD})")
    group.add_argument("--prompt", metavar="TEXT", help="the same for all texts instead")
    group.add_argument("--label", help="only marks with this label are answers (default: all)")
    group.add_argument("--apart", action="store_true", help="each mark is an answer of its own")
    unmarked = "where nothing is marked, the text has no answer"
    group.add_argument("--unmarked-is-none", action="store_true", help=unmarked)


def _field(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text} is not NAME=VALUE.")
    return name, value


def source_of(
    file: Path,
    *,
    protocol: str,
    beside: Path | None,
    fields: list[tuple[str, str]],
    config: Mapping[str, Any],
    stated: Mapping[str, Any] | None = None,
    **how: Any,
) -> FileSource:
    """The source at this path: a file, or a folder or zip of texts if the protocol reads them. CommandError otherwise.

    `how`: `published` and `split`. `stated`: what the command line says of the export of another tool.
    """
    if beside is not None and not beside.exists():
        raise CommandError(f"There is no zip or folder {beside}.")
    export = _export(protocol, file, stated or {})
    if export is not None and (ending := ending_in_zip(export, file)):
        return TextZip(path=file, config=config, export=export, suffix=ending, **how)
    reads_texts = registry.get(protocol).reads_texts and not how.get("published") and export is None
    if file.is_dir() and reads_texts:
        return TextFolder(path=file, config=config, fields=dict(fields), **how)
    if not file.is_file():
        raise CommandError(f"{file} is a folder; name a file." if file.is_dir() else f"There is no file {file}.")
    if reads_texts and has_texts(file):
        return TextZip(path=file, config=config, fields=dict(fields), **how)
    if fields:
        raise CommandError("--field is for a folder or zip of texts. The records of a file have their own fields.")
    return FileSource(path=file, beside=beside, config=config, export=export, **how)


def _export(protocol: str, file: Path, stated: Mapping[str, Any]) -> ExportOptions | None:
    if not file.is_file():
        return None
    try:
        return options_for(registry.get(protocol), file, stated)
    except ImportRefused as refused:
        raise CommandError(refused.message) from None
