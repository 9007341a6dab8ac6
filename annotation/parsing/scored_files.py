"""Read the files of `manage.py score`: the operator's own, so without limits, but as strictly as any JSON."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any

from annotation.errors import ScoreRefused
from annotation.parsing.strict_json import JsonRefused, name_of_path, strict_loads


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, decompressed if its name ends in .gz; ScoreRefused if it can't be read."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except OSError as error:
        raise ScoreRefused(f"{path} can't be read: {error.strerror or error}.") from None
    except (EOFError, zlib.error) as error:
        raise ScoreRefused(f"{path} can't be read: {error}.") from None


def read_json(path: Path) -> Any:
    """The JSON value in a file; ScoreRefused if there is none."""
    return _loads(read_bytes(path), path.name)


def read_rows(path: Path) -> list[Any]:
    """The JSON value on each line that is not blank; ScoreRefused if one is broken."""
    lines = enumerate(read_bytes(path).split(b"\n"), start=1)
    return [_loads(line, f"{path.name}, line {number:,}") for number, line in lines if line.strip()]


def _loads(data: bytes, where: str) -> Any:
    try:
        return strict_loads(data, values=None)
    except JsonRefused as error:
        raise ScoreRefused(f"{', '.join(filter(None, (where, name_of_path(error.path))))}: {error}") from None


def whole_number_option(text: str | None, name: str, *, least: int, otherwise: int) -> int:
    """The value of an option that is a number; ScoreRefused if it is none or below `least`."""
    if text is None:
        return otherwise
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise ScoreRefused(f"--{name} is a whole number from {least}, not {text}.")
    return int(text)
