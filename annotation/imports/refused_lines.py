"""The refused lines of an uploaded file, in a file of their own: to be mended and uploaded again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from annotation.models import Job
from annotation.parsing.incoming import RefusedLine
from annotation.parsing.sources import TOO_LONG, FileSource
from annotation.parsing.text_zips import TextZip
from annotation.storage import files

MOST = 512 * 2**20
"""Bytes of such a file; what comes after that is left out."""
KEPT = timedelta(days=7)
EXCERPT = 80
"""Characters that are shown of a field."""
BLOCK = 2**20
_BYTE = re.compile(r"\bbyte ([\d,]+)")
_VALUE = re.compile(rb'\s*:\s*("(?:[^"\\]|\\.){0,400}"?|[^,}\]]{1,400})')
Said = dict[tuple[int, str], str]
"""By line and field."""


@dataclass(frozen=True)
class Uploaded(FileSource):
    """An uploaded file, which notes how its protocol reads it."""

    _read_whole: list[bool] = field(default_factory=list, init=False, repr=False, compare=False)

    def whole(self) -> bytes:
        """All bytes of the file: it is one JSON object and not a line for each record."""
        self._read_whole.append(True)
        return super().whole()

    @property
    def is_read_by_lines(self) -> bool:
        """Whether the numbers of refused lines are those of lines, and not of records in one JSON object."""
        return not self._read_whole

    def count_lines(self, each: Callable[[], None]) -> int:
        """How many lines the file has, 0 if it is compressed; `each` is called now and then."""
        if self.is_packed:
            return 0
        count, last = 0, b""
        with self.path.open("rb") as file:
            while block := file.read(BLOCK):
                count, last = count + block.count(b"\n"), block
                each()
        return count + (last[-1:] not in (b"", b"\n"))


@dataclass(frozen=True)
class UploadedTexts(TextZip):
    """An uploaded zip of texts. Nobody has written its lines, so the refused ones are no file to be mended."""

    is_read_by_lines = False

    def count_lines(self, each: Callable[[], None]) -> int:
        """How many texts it has."""
        return sum(1 for _line in self.lines())


def folder() -> Path:
    return files.shared("refused")


def path_of(job: Job) -> Path:
    """The file with the refused lines of an import."""
    return folder() / f"{job.pk}.jsonl"


def write(job: Job, source: Uploaded | UploadedTexts, refused: list[RefusedLine], *, each: Callable[[], None]) -> Said:
    """Copy the refused lines, one after another, into the file of the job; `each` is called for every line.

    Rows of a table come with the row that names its columns. Returns what each line says where it is refused. Nothing
    happens if the file isn't read by lines.
    """
    path_of(job).unlink(missing_ok=True)
    said: Said = {}
    if not refused or not source.is_read_by_lines:
        return said
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    wanted: dict[int, list[RefusedLine]] = {}
    for found in refused:
        wanted.setdefault(found.line, []).append(found)
    for number, line in source.lines():
        each()
        if number in wanted and not line.startswith(b"\x00"):
            said |= {(number, found.field): excerpt(line, found) for found in wanted[number]}
    written = 0
    with files.open_new(path_of(job)) as file:
        for number, line in _as_written(source):
            each()
            if number in wanted and not line.startswith(TOO_LONG) and written + len(line) < MOST:
                written += file.write(line)
            elif number == 1 and source.form.is_table:
                file.write(line)
    return said


def _as_written(source: Uploaded | UploadedTexts) -> Iterator[tuple[int, bytes]]:
    """The lines of a file or the rows of a table, with their ends."""
    return source.rows() if source.form.is_table else ((number, line + b"\n") for number, line in source.lines())


def are_objects(path: Path) -> bool:
    """Whether these refused lines begin like JSON, and not like a table."""
    with path.open("rb") as file:
        return file.read(1) == b"{"


def excerpt(line: bytes, refused: RefusedLine) -> str:
    """The beginning of the field's value, or else what is around the byte that the reason names."""
    name = refused.field.rpartition(".")[2].partition("[")[0]
    at = line.find(f'"{name}"'.encode()) if name else -1
    byte = _BYTE.search(refused.reason) if not name or refused.reason.startswith("Cut off") else None
    if byte is not None:
        end = int(byte[1].replace(",", ""))
        start = max(0, end - EXCERPT // 2)
        return _short(line[start : end + EXCERPT // 2], before=start > 0)
    if at < 0:
        return _short(line)
    value = _VALUE.match(line, at + len(name.encode()) + 2)
    return _short(value[1]) if value else _short(line[at:])


def _short(data: bytes, *, before: bool = False) -> str:
    text = data[: 4 * EXCERPT].decode("utf-8", "replace")
    clean = "".join(letter if letter.isprintable() else "\ufffd" for letter in text[:EXCERPT])
    return f"{'…' if before else ''}{clean}{'…' if len(text) > EXCERPT else ''}"


def remove_old(*, now: datetime) -> None:
    """Remove the files of imports that ended long ago, and those without a row."""
    paths = list(folder().iterdir()) if folder().is_dir() else []
    kept = Job.objects.filter(pk__in=[path.stem for path in paths if path.stem.isdecimal()])
    kept = kept.exclude(finished_at__lt=now - KEPT)
    names = {f"{pk}.jsonl" for pk in kept.values_list("pk", flat=True)}
    for path in paths:
        if path.name not in names:
            path.unlink(missing_ok=True)
