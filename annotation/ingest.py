"""Create documents, items and imported annotations from a protocol's reader, in two passes.

Pass 1 reads and checks the whole file and writes documents and layouts to content-addressed files: a bad line ends
the import there, with no row written. Pass 2 inserts in small batches, keyed by (project, kind, external id), and can
be taken up again. What was inserted shows only when the job is done: one row flips it all.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation import protocol as registry
from annotation import recording, search, spool, states
from annotation.errors import ImportRefused
from annotation.models import Annotation, Document, Item, ItemDocument, Job, Project, User
from annotation.models.job import JOB_MOVES
from annotation.protocol import ImportSource, IncomingItem, RefusedLine

BATCH = 200
"""Rows of one transaction: short enough that pages wait less than 50 ms for it on SQLite."""

SPLIT = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""Splits name files of releases."""

Progress = Callable[[str, int, int], None]
"""Told (pass, done, total); total is 0 while it is not known."""


@dataclass
class Report:
    """What an import did: items made, items that were there already, annotations, refused lines, notes by line."""

    items: int = 0
    adopted: int = 0
    annotations: int = 0
    refused: list[RefusedLine] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)


def run(
    project: Project,
    source: ImportSource,
    *,
    sha256: str,
    by: User | None,
    clock: Callable[[], datetime],
    progress: Progress,
) -> Report:
    """Import a file whose bytes have that sha-256. Raises ImportRefused with `.report` when any line is refused."""
    kind = "import_release" if source.published else "import_items"
    key = hashlib.sha256(f"{kind}/{project.pk}/{sha256}".encode()).hexdigest()
    path = settings.GOLDFINCH_DATA / "imports" / f"{key}.jsonl"
    report = Report()
    total = _check(project, source, path, report, progress)
    if report.refused:
        path.unlink(missing_ok=True)
        raise LinesRefused(report)
    job, _ = Job.objects.get_or_create(
        key=key, defaults={"project": project, "kind": kind, "subject": source.name[-200:]}
    )
    if job.state == Job.State.QUEUED:
        states.move(job, Job.State.RUNNING, moves=JOB_MOVES, by=by, now=clock())
    Job.objects.filter(pk=job.pk).update(total=total, attempts=job.attempts + 1, heartbeat_at=clock())
    for number, batch in enumerate(_batches(spool.read(path))):
        _insert(project, job, batch, report, now=clock())
        done = min((number + 1) * BATCH, total)
        Job.objects.filter(pk=job.pk).update(done=done, heartbeat_at=clock())
        progress("insert", done, total)
    _finish(job, report, by=by, now=clock())
    path.unlink(missing_ok=True)
    return report


class LinesRefused(ImportRefused):
    """Some lines can't be imported, so nothing was; the report lists them."""

    def __init__(self, report: Report) -> None:
        super().__init__("Nothing was imported: some lines are refused.")
        self.report = report


def _check(project: Project, source: ImportSource, path: Path, report: Report, progress: Progress) -> int:
    """Pass 1: every line through the protocol's reader and against what the project has; returns how many items."""
    path.parent.mkdir(parents=True, exist_ok=True)
    seen: dict[tuple[str, str], tuple[bytes, int]] = {}
    with path.open("wb") as file:
        for batch in _batches(registry.get(project.protocol).read(source)):
            lines = []
            for incoming in batch:
                if isinstance(incoming, RefusedLine):
                    report.refused.append(incoming)
                    continue
                if not SPLIT.fullmatch(incoming.split):
                    reason = f"{incoming.split!r} is no split: letters, digits, - and _, 40 at most."
                    report.refused.append(RefusedLine(incoming.line, "split", reason))
                    continue
                line = spool.line_of(incoming, search=registry.get(project.protocol).search_text(incoming))
                lines.append(line)
                entry = spool.loads(line)
                _note_twice(entry, seen, report)
                report.notes += [(incoming.line, note) for note in incoming.notes]
            _note_changed(project, [spool.loads(line) for line in lines], report)
            file.writelines(lines)
            progress("check", len(seen), 0)
    report.refused.sort(key=lambda found: found.line)
    return len(seen)


def _note_twice(entry: dict[str, Any], seen: dict[tuple[str, str], tuple[bytes, int]], report: Report) -> None:
    """The same id twice in one file is refused, unless it is the same record again."""
    name, content = _name(entry), bytes.fromhex(entry["content"])[:8]
    before = seen.setdefault(name, (content, entry["line"]))
    if before[0] != content:
        reason = f"The id {entry['external_id']} stands in line {before[1]:,} with other content."
        report.refused.append(RefusedLine(entry["line"], "example_id", reason))


def _note_changed(project: Project, entries: list[dict[str, Any]], report: Report) -> None:
    """An id that the project has with other content is refused by line; with the same content it is adopted."""
    have = _existing(project, entries)
    for entry in entries:
        item = have.get(_name(entry))
        if item is not None and item.content_sha256 != entry["content"]:
            reason = f"The project has an item {entry['external_id']} with other content."
            report.refused.append(RefusedLine(entry["line"], "example_id", reason))


def _existing(project: Project, entries: list[dict[str, Any]]) -> dict[tuple[str, str], Item]:
    ids = [entry["external_id"] for entry in entries]
    rows = Item.objects.filter(project=project, external_id__in=ids).select_related("job")
    return {(row.kind, row.external_id): row for row in rows}


@transaction.atomic
def _insert(project: Project, job: Job, entries: list[dict[str, Any]], report: Report, *, now: datetime) -> None:
    """Insert one batch; what an earlier run of this or an unfinished other import left is adopted."""
    have = _existing(project, entries)
    for item in have.values():
        if item.job_id is not None and item.job.state != Job.State.DONE and item.job_id != job.pk:
            Item.objects.filter(pk=item.pk).update(job=job)
    fresh = {_name(entry): entry for entry in entries}
    fresh = {name: entry for name, entry in fresh.items() if name not in have}
    report.adopted += len(entries) - len(fresh)
    made = _items(project, job, list(fresh.values()))
    documents = _documents(entry for found in fresh.values() for entry in found["documents"])
    ItemDocument.objects.bulk_create(
        ItemDocument(
            item=item,
            document=documents[found["sha256"]],
            position=position,
            title=found["title"],
            url=found["url"],
            licence=found["licence"],
            layout=found["layout"],
        )
        for item, entry in made
        for position, found in enumerate(entry["documents"])
    )
    authors, activities = _authors(project, fresh.values()), registry.get(project.protocol).activities
    first = {kind: next(each.key for each in activities if each.kind == kind) for kind in {e.kind for e in activities}}
    recording.take_in(
        rows=[
            (item, [{"activity": first.get(item.kind)} | found | {"author_id": authors.get(found["worker"])}
                    for found in entry["annotations"]])
            for item, entry in made
        ],
        job=job,
        now=now,
    )  # fmt: skip
    search.index((item, *entry["search"]) for item, entry in made if entry["search"])
    report.items += len(made)
    report.annotations += sum(len(entry["annotations"]) for entry in fresh.values())


def _items(project: Project, job: Job, entries: list[dict[str, Any]]) -> list[tuple[Item, dict[str, Any]]]:
    """Make the items of a batch: first those that stand by themselves, then those that stand under another."""
    made: list[tuple[Item, dict[str, Any]]] = []
    for under in (False, True):
        part = [entry for entry in entries if bool(entry["parent"]) == under]
        parents = _parents(project, part) if under else {}
        rows = Item.objects.bulk_create(
            Item(
                project=project,
                kind=entry["kind"],
                external_id=entry["external_id"],
                split=entry["split"],
                payload=entry["payload"],
                content_sha256=entry["content"],
                root=parents.get(tuple(entry["parent"] or ())),
                position=(job.pk << 32) + entry["line"],
                job=job,
            )
            for entry in part
        )
        made += zip(rows, part, strict=True)
    return made


def _parents(project: Project, entries: list[dict[str, Any]]) -> dict[tuple[str, ...], Item]:
    names = {entry["parent"][1] for entry in entries}
    return {(row.kind, row.external_id): row for row in Item.objects.filter(project=project, external_id__in=names)}


def make(annotation: Annotation, incoming: Iterable[IncomingItem]) -> list[Item]:
    """Items that finished work has made: they stand under the same root, after what was imported with it."""
    item = annotation.item
    return [
        Item.objects.create(
            project_id=item.project_id,
            kind=found.kind,
            external_id=found.external_id,
            split=found.split,
            payload=found.payload,
            content_sha256=hashlib.sha256(spool.content_of(found)).hexdigest(),
            made_from=annotation,
            root_id=item.root_id or item.pk,
            position=item.position,
        )
        for found in incoming
    ]


def _name(entry: dict[str, Any]) -> tuple[str, str]:
    return entry["kind"], entry["external_id"]


def _documents(found: Iterator[dict[str, Any]]) -> dict[str, Document]:
    wanted = {entry["sha256"]: entry for entry in found}
    Document.objects.bulk_create(
        [Document(sha256=e["sha256"], media_type=e["media_type"], length=e["length"]) for e in wanted.values()],
        ignore_conflicts=True,
    )
    return {row.sha256: row for row in Document.objects.filter(sha256__in=wanted)}


def _authors(project: Project, entries: Any) -> dict[str, int]:
    """People who exist only in imported files: users without log-in, one per (project, worker id)."""
    workers = {found["worker"] for entry in entries for found in entry["annotations"] if found["worker"]}
    names = {worker: f"{project.pk}/{worker}" for worker in workers}
    User.objects.bulk_create(
        [
            User(username=f"import-{hashlib.sha256(name.encode()).hexdigest()[:20]}", imported_as=name, is_active=False)
            for name in names.values()
        ],
        ignore_conflicts=True,
    )
    have = dict(User.objects.filter(imported_as__in=names.values()).values_list("imported_as", "pk"))
    return {worker: have[name] for worker, name in names.items()}


@transaction.atomic
def _finish(job: Job, report: Report, *, by: User | None, now: datetime) -> None:
    """One row flips it all."""
    if job.state == Job.State.DONE:
        return
    counts = {"items": report.items, "adopted": report.adopted, "annotations": report.annotations}
    report_kept = counts | {"notes": report.notes[:1000]}
    states.move(job, Job.State.DONE, moves=JOB_MOVES, by=by, now=now, data=counts, finished_at=now, report=report_kept)


def _batches(rows: Iterator[Any]) -> Iterator[list[Any]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch
