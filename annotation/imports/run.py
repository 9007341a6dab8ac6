"""Two-pass import: check the whole file and spool it, then insert documents, items and annotations.

Pass 1 runs every line through the protocol's reader, and keeps what it read in files without a name. If any line is
refused, the import ends there and no row is written. Pass 2 (`imports.insert`) inserts each document and layout
together with the first items that refer to it; it can be killed and resumed. What it inserts becomes visible all at
once, when the job's row changes to done.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from enum import StrEnum
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, Any

from django.conf import settings
from django.db import transaction

from annotation import registry
from annotation.engine import job_leases, state_machine
from annotation.engine.job_leases import HeldLease
from annotation.errors import ImportRefused
from annotation.imports import already_there, fields_around, insert, reading, recognising, spool
from annotation.imports.already_there import SplitFirewall
from annotation.imports.insert import ImportReport
from annotation.imports.spool import BlobSpool, SeenIds
from annotation.models import Item, Job, Project, User
from annotation.models.job import JOB_MOVES
from annotation.parsing.incoming import ImportSource, RefusedLine

BATCH = 200
"""Items per query when pass 1 looks for them in the project."""
REFUSED_AT_MOST = 10_000
"""Reading stops after this many refused lines."""
SPLITS = ("train", "dev", "test")
"""In which an item may have come in that is in another one now."""
Progress = Callable[[str, int, int], None]
"""Callback(pass, done, total); total is 0 while unknown."""


class Mode(StrEnum):
    """What becomes of a file: all or nothing of it is imported, or the lines not refused, or it is only read."""

    ALL = "all"
    GOOD = "good"
    CHECK = "check"


def run(
    project: Project,
    source: ImportSource,
    *,
    sha256: str,
    by: User | None,
    clock: Callable[[], datetime],
    progress: Progress,
    mode: Mode = Mode.ALL,
    report: ImportReport | None = None,
) -> ImportReport:
    """Import a file with the given sha-256. Raises LinesRefused, with the report, if any line is refused.

    The job's key is a hash of the file and of what pass 1 read in it, so importing the same file again resumes an
    import that was killed. A given `report` is filled while the file is read.
    """
    kind = "import_release" if source.published else "import_items"
    name = hashlib.sha256(f"{kind}/{project.pk}/{sha256}".encode()).hexdigest()
    folder = settings.GOLDFINCH_DATA / "imports"
    report = report or ImportReport()
    folder.mkdir(parents=True, exist_ok=True)
    with alone(project) as lease, TemporaryFile(dir=folder) as lines, BlobSpool(folder) as blobs:

        def go_on(step: str, done: int, total: int) -> None:
            lease.renew()
            progress(step, done, total)

        total, found = _check(project, source, lines, blobs, report, go_on, mode=mode)
        report.notes.add(1, fields_around.notes(report.around, report.splits, project=project))
        if mode == Mode.CHECK:
            return report
        if report.refused and (mode == Mode.ALL or report.read_until or not total):
            raise LinesRefused(report)
        if not total:
            raise ImportRefused(f"{source.name} has no items.")
        job = _job(project, kind, f"{name}/{found}", subject=source.name[-200:])
        if job.state == Job.State.DONE:
            report.adopted = total
        else:
            report.job = job.pk
            _insert(project, job, lease, lines, blobs, report, total=total, by=by, clock=clock, progress=progress)
    return report


class LinesRefused(ImportRefused):
    """Some lines can't be imported, so none was; the report lists them."""

    def __init__(self, report: ImportReport) -> None:
        super().__init__("Nothing was imported: some lines were refused.")
        self.report = report


def alone(project: Project) -> AbstractContextManager[HeldLease]:
    """One import per project at a time, so an unfinished job found under the lease was killed."""
    text = f"Another import into {project.slug} is running. Wait until it has finished."
    return job_leases.hold(import_lease(project), refusal=ImportRefused(text, reason=job_leases.BUSY))


def import_lease(project: Project) -> str:
    """The name of the lease that an import into the project holds."""
    return f"import/{project.pk}"


def _job(project: Project, kind: str, content: str, *, subject: str) -> Job:
    """Get or create the job for this file and content.

    One that was cancelled or undone is followed by a new one, and so is one whose fields beside the list a later file
    has changed.
    """
    key = hashlib.sha256(content.encode()).hexdigest()
    job, _ = Job.objects.get_or_create(key=key, defaults={"project": project, "kind": kind, "subject": subject})
    is_over = job.state == Job.State.CANCELLED or job.undone_at is not None
    is_over = is_over or (job.state == Job.State.DONE and fields_around.is_outdated(job))
    return _job(project, kind, key, subject=subject) if is_over else job


def _insert(
    project: Project,
    job: Job,
    lease: HeldLease,
    lines: IO[bytes],
    blobs: BlobSpool,
    report: ImportReport,
    *,
    total: int,
    by: User | None,
    clock: Callable[[], datetime],
    progress: Progress,
) -> None:
    """Pass 2: insert the spooled items in short transactions, each of which stores the progress."""
    if job.state == Job.State.QUEUED:
        state_machine.move(job, Job.State.RUNNING, moves=JOB_MOVES, by=by, now=clock())
    Job.objects.filter(pk=job.pk).update(total=total, attempts=job.attempts + 1, heartbeat_at=clock())
    done = 0
    for batch in insert.batches(spool.read(lines), blobs):
        done += len(batch)
        insert.insert(project, job, lease, batch, blobs, report, done=done, now=clock())
        progress("insert", done, total)
    _finish(job, lease, report, by=by, now=clock())


def _check(
    project: Project,
    source: ImportSource,
    spooled: IO[bytes],
    blobs: BlobSpool,
    report: ImportReport,
    progress: Progress,
    *,
    mode: Mode,
) -> tuple[int, str]:
    """Pass 1: run every line through the protocol's reader, compare it with the project and spool it.

    Returns the number of items and the sha-256 of the spooled lines.
    """
    kept, digest = 0, hashlib.sha256()
    refuse_another = already_there.check(project) if source.published else None
    with SeenIds() as seen, SeenIds() as shared:
        firewall = SplitFirewall(project, shared)
        read = _lines(project, source, blobs, report, progress, mode=mode)
        for lines in _batches(recognising.recognised(project, read, each=lambda: progress("check", report.read, 0))):
            entries = [spool.loads(line) for line in lines]
            before = len(report.refused)
            for entry in entries:
                _refuse_conflicting_duplicate(project, entry, seen, report)
            have = insert.existing_items(project, entries)
            if refuse_another is not None:
                refuse_another(entries, {key: item for key, item in have.items() if insert.is_visible(item)})
            there = _refuse_changed_items(project, entries, have, report)
            firewall.check(entries, {key: item for key, item in have.items() if insert.is_visible(item)}, report)
            if mode == Mode.CHECK:
                _count(entries, there, {found.line for found in report.refused[before:]}, report)
            if mode == Mode.GOOD or not report.refused:
                spooled.writelines(lines)
                digest.update(b"".join(lines))
            kept += len(lines)
    report.refused = sorted(report.refused, key=lambda found: found.line)
    if mode == Mode.GOOD and report.refused:
        return spool.without(spooled, {found.line for found in report.refused})
    return kept, digest.hexdigest()


def _lines(
    project: Project, source: ImportSource, blobs: BlobSpool, report: ImportReport, progress: Progress, *, mode: Mode
) -> Iterator[bytes]:
    """The spool lines of a file; refused lines and notes go into the report, documents and layouts into `blobs`."""
    kept = 0
    report.read_as = source.read_as
    for found in reading.read(registry.get(project.protocol), source):
        if found.line != report.line:
            report.line, report.read = found.line, report.read + 1
        if found.refused is not None:
            report.refused.append(found.refused)
        else:
            kept += 1
            report.notes.add(found.line, found.notes)
            report.splits.add(found.split)
            report.around = found.around if found.around.every else report.around
            if mode == Mode.GOOD or (mode == Mode.ALL and not report.refused):
                for blob in found.blobs:
                    blobs.add(blob)
            yield found.text
        progress("check", kept, 0)
        if len(report.refused) >= REFUSED_AT_MOST:
            report.read_until = found.line
            return


def _refuse_conflicting_duplicate(project: Project, entry: dict[str, Any], seen: SeenIds, report: ImportReport) -> None:
    """Refuse an id that occurred earlier in the file with different content; an identical record is fine."""
    name = hashlib.sha256("/".join(insert.item_key(entry)).encode()).digest()[:16]
    content, line = seen.first(name, content=entry["content"], line=entry["line"])
    if content != entry["content"]:
        reason = f"Line {line:,} has the same id, {entry['external_id']}, with different content."
        report.refused.append(RefusedLine(entry["line"], _id_field(project, entry), reason))


def _count(entries: list[dict[str, Any]], there: set[tuple[str, str]], refused: set[int], report: ImportReport) -> None:
    """Count the items that an import would create or adopt: those that are in no refused line."""
    good = [insert.item_key(entry) for entry in entries if entry["line"] not in refused]
    adopted = sum(key in there for key in good)
    report.adopted += adopted
    report.items += len(good) - adopted


def _refuse_changed_items(
    project: Project, entries: list[dict[str, Any]], have: dict[tuple[str, str], Item], report: ImportReport
) -> set[tuple[str, str]]:
    """Refuse an id that the project already has (`have`) with different content; with the same content it is adopted.

    Returns the keys of those that the project has.
    """
    there = set()
    for entry in entries:
        item = have.get(insert.item_key(entry))
        if item is None or not insert.is_visible(item):
            continue
        there.add(insert.item_key(entry))
        if not _same(item, entry):
            report.refused.append(RefusedLine(entry["line"], _id_field(project, entry), _how_it_differs(item, entry)))
    return there


def _how_it_differs(item: Item, entry: dict[str, Any]) -> str:
    """Why an item that the project has is refused. Its content was hashed with the split in which it came in."""
    name = entry["external_id"]
    for split in {item.split: None, **dict.fromkeys(SPLITS)}:
        if split != entry["split"] and item.content_sha256 == spool.content_hash(entry | {"split": split}):
            return (
                f"The project already has {name}, in the split {item.split}; only the split differs. Move items under"
                " Splits, in the settings."
            )
    return f"The project already has an item {name} with different content."


def _id_field(project: Project, entry: dict[str, Any]) -> str:
    return registry.get(project.protocol).id_field(entry["kind"])


def _same(item: Item, entry: dict[str, Any]) -> bool:
    hashes = (entry["content"], spool.legacy_content_hash(entry))
    return item.content_sha256 in hashes or item.content_sha256 == _content_as_laid_out(item, entry)


def _content_as_laid_out(item: Item, entry: dict[str, Any]) -> str:
    """The content hash with the layouts that the item has of these documents: a page that has come in keeps its words,
    also when later versions cut them better."""
    layouts = dict(item.item_documents.values_list("document__sha256", "layout"))
    documents = [each | {"layout": layouts.get(each["sha256"], each["layout"])} for each in entry["documents"]]
    return spool.content_hash(entry | {"documents": documents})


@transaction.atomic
def _finish(job: Job, lease: HeldLease, report: ImportReport, *, by: User | None, now: datetime) -> None:
    """Mark the job as done, which makes all its items visible at once."""
    lease.renew_now()
    counts = {"items": report.items, "adopted": report.adopted, "annotations": report.annotations}
    around = fields_around.kept(report.around, report.splits, project=job.project)
    report_kept = counts | {"notes": list(report.notes)} | around
    state_machine.move(
        job, Job.State.DONE, moves=JOB_MOVES, by=by, now=now, data=counts, finished_at=now, report=report_kept
    )


def _batches(rows: Iterator[bytes]) -> Iterator[list[bytes]]:
    while batch := list(islice(rows, BATCH)):
        yield batch
