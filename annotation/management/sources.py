"""The file or folder that a command reads raw items from."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation import registry
from annotation.errors import ImportRefused
from annotation.exchange.options import PROMPT_FIELD, TITLES, ExportOptions
from annotation.exchange.reading import ending_in_zip, options_for
from annotation.parsing.sources import FileSource
from annotation.parsing.text_zips import TextFolder, TextZip, has_texts


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
