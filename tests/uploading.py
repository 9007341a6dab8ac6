"""Upload files and import them, as the page of imports does."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import orjson

from annotation.imports import uploads
from annotation.imports.job import Options
from annotation.imports.run import Mode
from annotation.models import Job, Project, Upload, User
from tasks.background import long_jobs
from tests.people import NOON


def uploaded(into: Project, by: User, name: str, data: bytes) -> Upload:
    """A file that has arrived in parts."""
    first = zlib.crc32(data[: uploads.PART])
    upload = uploads.begin(into, name=name, size=len(data), beginning=first, by=by, now=NOON)
    for start in range(0, len(data), uploads.PART):
        part = data[start : start + uploads.PART]
        checksum = zlib.crc32(data[: start + len(part)])
        uploads.receive(upload, part, offset=start, checksum=checksum, now=NOON)
    return upload


def json_lines(lines: list[Any]) -> bytes:
    """A JSON Lines file of these values; bytes are written as they are."""
    return b"".join((line if isinstance(line, bytes) else orjson.dumps(line)) + b"\n" for line in lines)


def asked(
    into: Project,
    by: User,
    lines: list[Any],
    *,
    mode: Mode = Mode.ALL,
    name: str = "q.jsonl",
    beside: Upload | None = None,
    published: bool = False,
    split: str = "",
) -> Job:
    """The import of an uploaded JSON Lines file, waiting for its turn."""
    file = uploaded(into, by, name, json_lines(lines))
    options = Options(file=file, beside=beside, published=published, split=split, mode=mode)
    return long_jobs.ask(into, uploads.KIND, subject=name, asked=options.as_json(), by=by, now=NOON)


def imported(into: Project, by: User, lines: list[Any], **options: Any) -> Job:
    """The same, after its turn."""
    return done(asked(into, by, lines, **options))


def done(job: Job) -> Job:
    """The job after its turn."""
    long_jobs.run(job.pk)
    job.refresh_from_db()
    return job


def path(upload: Upload) -> Path:
    """Where the server keeps it."""
    return uploads.path_of(upload)
