"""The file or folder that a command reads raw items from."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation import registry
from annotation.parsing.sources import FileSource
from annotation.parsing.text_zips import TextFolder, TextZip, has_texts


def add_field(parser: argparse.ArgumentParser) -> None:
    """The option --field NAME=VALUE, which may come several times."""
    what = "a field that all texts of a folder or zip have, such as domain=news; may be repeated"
    parser.add_argument("--field", dest="fields", action="append", default=[], type=_field, metavar="K=V", help=what)


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
    **how: Any,
) -> FileSource:
    """The source at this path: a file, or a folder or zip of texts if the protocol reads them. CommandError otherwise.

    `how`: `published` and `split`.
    """
    if beside is not None and not beside.exists():
        raise CommandError(f"There is no zip or folder {beside}.")
    reads_texts = registry.get(protocol).reads_texts and not how.get("published")
    if file.is_dir() and reads_texts:
        return TextFolder(path=file, config=config, fields=dict(fields), **how)
    if not file.is_file():
        raise CommandError(f"{file} is a folder; name a file." if file.is_dir() else f"There is no file {file}.")
    if reads_texts and has_texts(file):
        return TextZip(path=file, config=config, fields=dict(fields), **how)
    if fields:
        raise CommandError("--field is for a folder or zip of texts. The records of a file have their own fields.")
    return FileSource(path=file, beside=beside, config=config, **how)
