"""Create documents, items and imported annotations from a protocol's reader, in two passes.

Pass 1 reads and checks the whole file and writes documents and layouts to content-addressed files: a bad line ends
the import there, with no row written. Pass 2 (`inserting`) can be killed and taken up again. What it inserted shows
only when the job is done: one row flips it all.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation import document_store, state_machine
from annotation import protocol as registry
from annotation.errors import ImportRefused
from annotation.imports import insert, spool
from annotation.imports.insert import Report
from annotation.imports.seen_ids import SeenIds
from annotation.models import Item, Job, Project, User
from annotation.models.job import JOB_MOVES
from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.protocol import Protocol

BATCH = 200
"""Items that pass 1 compares with the project at a time."""
REFUSED_AT_MOST = 10_000
"""Refused lines after which the rest of a file is not read."""
NOTES_AT_MOST = 1000
"""Notes that are kept; the others are counted."""
SPLIT = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""Splits name files of releases."""
Progress = Callable[[str, int, int], None]
"""Told (pass, done, total); total is 0 while it is not known."""


def run(
    project: Project,
    source: ImportSource,
    *,
    sha256: str,
    by: User | None,
    clock: Callable[[], datetime],
    progress: Progress,
) -> Report:
    """Import a file whose bytes have that sha-256. Raises ImportRefused with `.report` when any line is refused.

    What pass 1 has found names the job, so an import that was killed is taken up by the same file, read the same way.
    """
    kind = "import_release" if source.published else "import_items"
    name = hashlib.sha256(f"{kind}/{project.pk}/{sha256}".encode()).hexdigest()
    path = settings.GOLDFINCH_DATA / "imports" / f"{name}.jsonl"
    report = Report()
    with alone(project):
        total, found = _check(project, source, path, report, progress)
        if report.refused:
            path.unlink(missing_ok=True)
            raise LinesRefused(report)
        job = _job(project, kind, f"{name}/{found}", subject=source.name[-200:])
        if job.state == Job.State.DONE:
            report.adopted = total
        else:
            _insert(project, job, path, report, total=total, by=by, clock=clock, progress=progress)
        path.unlink(missing_ok=True)
    return report


class LinesRefused(ImportRefused):
    """Some lines can't be imported, so nothing was; the report lists them."""

    def __init__(self, report: Report) -> None:
        super().__init__("Nothing was imported: some lines are refused.")
        self.report = report


@contextmanager
def alone(project: Project) -> Iterator[None]:
    """One import into a project at a time, so that an unfinished one is a dead one."""
    with ExitStack() as held:
        try:
            held.enter_context(document_store.alone(settings.GOLDFINCH_DATA / "imports" / f"{project.pk}.lock"))
        except BlockingIOError:
            raise ImportRefused(f"Another import into {project.slug} is running; wait for its end.") from None
        yield


def _job(project: Project, kind: str, found: str, *, subject: str) -> Job:
    """The job of this file and what was read in it; one that was given up is never taken up again."""
    key = hashlib.sha256(found.encode()).hexdigest()
    job, _ = Job.objects.get_or_create(key=key, defaults={"project": project, "kind": kind, "subject": subject})
    return _job(project, kind, key, subject=subject) if job.state == Job.State.CANCELLED else job


def _insert(
    project: Project,
    job: Job,
    path: Path,
    report: Report,
    *,
    total: int,
    by: User | None,
    clock: Callable[[], datetime],
    progress: Progress,
) -> None:
    """Pass 2: everything that pass 1 has kept, in short transactions that each say how far they came."""
    if job.state == Job.State.QUEUED:
        state_machine.move(job, Job.State.RUNNING, moves=JOB_MOVES, by=by, now=clock())
    Job.objects.filter(pk=job.pk).update(total=total, attempts=job.attempts + 1, heartbeat_at=clock())
    done = 0
    for batch in insert.batches(spool.read(path)):
        done += len(batch)
        insert.insert(project, job, batch, report, done=done, now=clock())
        progress("insert", done, total)
    _finish(job, report, by=by, now=clock())


def _check(project: Project, source: ImportSource, path: Path, report: Report, progress: Progress) -> tuple[int, str]:
    """Pass 1: every line through the protocol's reader and against what the project has.

    Returns how many items were kept, and the sha-256 of what was kept.
    """
    kept, digest = 0, hashlib.sha256()
    with path.open("wb") as file, SeenIds() as met:
        for lines in _batches(_lines(project, source, report)):
            entries = [spool.loads(line) for line in lines]
            for entry in entries:
                _note_twice(project, entry, met, report)
            _note_changed(project, entries, report)
            if not report.refused:
                file.writelines(lines)
                digest.update(b"".join(lines))
            kept += len(lines)
            progress("check", kept, 0)
    report.refused.sort(key=lambda found: found.line)
    return kept, digest.hexdigest()


def _lines(project: Project, source: ImportSource, report: Report) -> Iterator[bytes]:
    """The spooled lines of a file; what is refused or odd goes into the report.

    A page is written down before the next is read: with its layout it can take a hundred times the size of its line.
    """
    protocol = registry.get(project.protocol)
    for incoming in protocol.read(source):
        if isinstance(incoming, RefusedLine):
            report.refused.append(incoming)
        elif not SPLIT.fullmatch(incoming.split):
            reason = f"{incoming.split!r} is no split: letters, digits, - and _, 40 at most."
            report.refused.append(RefusedLine(incoming.line, "split", reason))
        else:
            _must_be_of_the_kind(protocol, incoming)
            report.noted += len(incoming.notes)
            room = NOTES_AT_MOST - len(report.notes)
            report.notes += [(incoming.line, note) for note in incoming.notes[:room]]
            yield spool.line_of(incoming, search=protocol.search_text(incoming))
        if len(report.refused) >= REFUSED_AT_MOST:
            report.read_until = incoming.line
            return


def _must_be_of_the_kind(protocol: Protocol, incoming: IncomingItem) -> None:
    """An annotation of an activity that the kind of item has not is a mistake of the reader, not of the file."""
    activities = [activity.key for activity in protocol.activities if activity.kind == incoming.kind]
    for found in incoming.annotations:
        if found.activity not in activities:
            raise ValueError(
                f"The reader of {protocol.key} brings annotation {found.external_id} of {incoming.kind} "
                f"{incoming.external_id} with the activity {found.activity!r}; its kind has {activities}."
            )


def _note_twice(project: Project, entry: dict[str, Any], met: SeenIds, report: Report) -> None:
    """The same id twice in one file is refused, unless it is the same record again."""
    name = hashlib.sha256("/".join(insert.name(entry)).encode()).digest()[:16]
    content, line = met.first(name, content=entry["content"], line=entry["line"])
    if content != entry["content"]:
        reason = f"The id {entry['external_id']} stands in line {line:,} with other content."
        report.refused.append(RefusedLine(entry["line"], _id_field(project, entry), reason))


def _note_changed(project: Project, entries: list[dict[str, Any]], report: Report) -> None:
    """An id that the project shows with other content is refused by line; with the same content it is adopted."""
    have = insert.existing(project, entries)
    for entry in entries:
        item = have.get(insert.name(entry))
        if item is not None and insert.shows(item) and not _same(item, entry):
            reason = f"The project has an item {entry['external_id']} with other content."
            report.refused.append(RefusedLine(entry["line"], _id_field(project, entry), reason))


def _id_field(project: Project, entry: dict[str, Any]) -> str:
    return registry.get(project.protocol).id_field(entry["kind"])


def _same(item: Item, entry: dict[str, Any]) -> bool:
    return item.content_sha256 == entry["content"] or item.content_sha256 == spool.former_content(entry)


@transaction.atomic
def _finish(job: Job, report: Report, *, by: User | None, now: datetime) -> None:
    """One row flips it all."""
    counts = {"items": report.items, "adopted": report.adopted, "annotations": report.annotations}
    report_kept = counts | {"notes": report.notes}
    state_machine.move(
        job, Job.State.DONE, moves=JOB_MOVES, by=by, now=now, data=counts, finished_at=now, report=report_kept
    )


def _batches(rows: Iterator[bytes]) -> Iterator[list[bytes]]:
    while batch := list(islice(rows, BATCH)):
        yield batch
