"""Pass 2 of an import: bulk-insert the spooled items in short transactions; each batch can safely be repeated.

The report of an import also says what it keeps though it is odd: equal sentences once, with how often they were said.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection, transaction

from annotation import registry, search
from annotation.engine import recording, state_machine
from annotation.engine.job_leases import HeldLease
from annotation.imports.spool import BlobSpool
from annotation.models import Blob, Document, Item, ItemDocument, Job, Project, User
from annotation.models.job import JOB_MOVES
from annotation.parsing.incoming import NOTHING_AROUND, FieldsAround, RefusedLine
from annotation.storage import blobs as stored

NOTES_AT_MOST = 1000
"""Sentences that are kept; how often others are said is only counted."""


class ImportNote(NamedTuple):
    """A sentence, the line that it is about first, and about how many lines or items it was said."""

    line: int
    text: str
    times: int


class ImportNotes:
    """The notes of an import, in the order of the lines that they are about. `total`: all, also what is not kept."""

    def __init__(self) -> None:
        self._kept: dict[str, list[int]] = {}
        self.total = 0

    def add(self, line: int, sentences: Iterable[str]) -> None:
        """Count these sentences about a line; a new one is kept while there is room."""
        for text in sentences:
            self.total += 1
            if text in self._kept:
                self._kept[text][1] += 1
            elif len(self._kept) < NOTES_AT_MOST:
                self._kept[text] = [line, 1]

    def __iter__(self) -> Iterator[ImportNote]:
        return iter(sorted(ImportNote(line, text, times) for text, (line, times) in self._kept.items()))

    @property
    def not_kept(self) -> int:
        """How many were said that no kept sentence says."""
        return self.total - sum(note.times for note in self)


BATCH = 200
"""Rows per transaction: few enough that requests wait less than 50 ms for it on SQLite."""
BATCH_BYTES = 2 * 1024 * 1024
"""Bytes of documents and layouts after which a transaction has no more items, for the same reason."""
PAUSE = 0.005
"""Seconds between transactions on SQLite, so that other writers get the lock."""


@dataclass
class ImportReport:
    """The result of an import: items created, items adopted (they existed already), annotations, refused lines, notes.

    `read_until` is the line at which reading stopped because too many lines were refused (0: the whole file was read);
    `line` is the one read last, `read` counts them. `read_as`: how the file is read, if it is no JSON Lines. `job`: the
    key of the job whose items they are, 0 if none came in. `around`: the fields beside its list of records; `splits`:
    those of its items.
    """

    items: int = 0
    adopted: int = 0
    annotations: int = 0
    refused: list[RefusedLine] = field(default_factory=list)
    notes: ImportNotes = field(default_factory=ImportNotes)
    read_until: int = 0
    line: int = 0
    read: int = 0
    read_as: str = ""
    job: int = 0
    around: FieldsAround = NOTHING_AROUND
    splits: set[str] = field(default_factory=set)


def batches(entries: Iterable[dict[str, Any]], blobs: BlobSpool) -> Iterator[list[dict[str, Any]]]:
    """Entries in batches of about BATCH rows or BATCH_BYTES; an item and its annotations stay in one batch."""
    batch: list[dict[str, Any]] = []
    rows, weight, names = 0, 0, set[str]()
    for entry in entries:
        batch.append(entry)
        rows += 1 + len(entry["documents"]) + sum(1 + len(found["responses"]) for found in entry["annotations"])
        more = _names(entry) - names
        weight += sum(map(blobs.length, more))
        names |= more
        if rows >= BATCH or weight >= BATCH_BYTES:
            yield batch
            batch, rows, weight, names = [], 0, 0, set()
    if batch:
        yield batch


def _names(entry: dict[str, Any]) -> set[str]:
    """The sha-256 of each document of an item, and of its layout."""
    return {found[name] for found in entry["documents"] for name in ("sha256", "layout")}


def insert(
    project: Project,
    job: Job,
    lease: HeldLease,
    entries: list[dict[str, Any]],
    blobs: BlobSpool,
    report: ImportReport,
    *,
    done: int,
    now: datetime,
) -> None:
    """Insert one batch and store the progress (`done` items) on the job's row; items that exist already are adopted."""
    with transaction.atomic():
        lease.renew_now()
        _insert(project, job, entries, blobs, report, now=now)
        Job.objects.filter(pk=job.pk).update(done=done, heartbeat_at=now)
    if connection.vendor == "sqlite":
        time.sleep(PAUSE)


def existing_items(project: Project, entries: list[dict[str, Any]]) -> dict[tuple[str, str], Item]:
    """The project's items with the keys of these entries, their jobs joined."""
    ids = [entry["external_id"] for entry in entries]
    rows = Item.with_set_aside.filter(project=project, external_id__in=ids).select_related("job")
    return {(row.kind, row.external_id): row for row in rows}


def is_visible(item: Item) -> bool:
    """Whether people can see the item: its import is done, or it was made from finished work."""
    return item.job is None or item.job.state == Job.State.DONE


def item_key(entry: dict[str, Any]) -> tuple[str, str]:
    """(kind, external id): unique in a project."""
    return entry["kind"], entry["external_id"]


def _insert(
    project: Project, job: Job, entries: list[dict[str, Any]], blobs: BlobSpool, report: ImportReport, *, now: datetime
) -> None:
    have = existing_items(project, entries)
    stale = {key: item for key, item in have.items() if not is_visible(item) and item.job_id != job.pk}
    _release_ids(list(stale.values()), now=now)
    have = {key: item for key, item in have.items() if key not in stale}
    fresh = {item_key(entry): entry for entry in entries if item_key(entry) not in have}
    report.adopted += len(entries) - len(fresh)
    made = _items(project, job, list(fresh.values()))
    _keep_blobs(set().union(*map(_names, fresh.values())), blobs)
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
    authors = _authors(project, fresh.values())
    recording.take_in(
        rows=[
            (item, [found | {"author_id": authors.get(found["worker"])} for found in entry["annotations"]])
            for item, entry in made
        ],
        job=job,
        now=now,
    )
    search.index((item, *entry["search"]) for item, entry in made if entry["search"])
    search.index_captions([item for item, _entry in made], protocol=project.protocol)
    report.items += len(made)
    report.annotations += sum(len(entry["annotations"]) for entry in fresh.values())


def _release_ids(items: list[Item], *, now: datetime) -> None:
    """Rename the hidden items of an import that was killed and not resumed, and cancel its job.

    Rows are never deleted; under their new names they stay hidden.
    """
    for job in {item.job_id: item.job for item in items}.values():
        if job is not None and job.state != Job.State.CANCELLED:
            state_machine.move(job, Job.State.CANCELLED, moves=JOB_MOVES, by=None, now=now)
    for item in items:
        Item.objects.filter(pk=item.pk).update(external_id=f"{item.pk}~{item.external_id}"[:200])


def _items(project: Project, job: Job, entries: list[dict[str, Any]]) -> list[tuple[Item, dict[str, Any]]]:
    """Create the items of a batch: first those without a parent, then their children."""
    made: list[tuple[Item, dict[str, Any]]] = []
    alike = registry.get(project.protocol).alike
    for under in (False, True):
        part = [entry for entry in entries if bool(entry["parent"]) == under]
        parents = _parents(project, part) if under else {}
        rows = Item.objects.bulk_create(
            Item(
                project=project,
                kind=entry["kind"],
                external_id=entry["external_id"],
                split=_split(entry, root),
                payload=entry["payload"],
                content_sha256=entry["content"],
                alike=alike(entry["kind"], entry["payload"]),
                root=root,
                set_aside_at=root.set_aside_at if root else None,
                position=(job.pk << 32) + entry["line"],
                job=job,
            )
            for entry in part
            for root in (parents.get(tuple(entry["parent"] or ())),)
        )
        made += zip(rows, part, strict=True)
    return made


def _split(entry: dict[str, Any], root: Item | None) -> str:
    """That of the root or of the group, which a lead may have moved since they were imported; or else the file's."""
    return root.split if root else entry.get("into", entry["split"])


def _parents(project: Project, entries: list[dict[str, Any]]) -> dict[tuple[str, ...], Item]:
    names = {entry["parent"][1] for entry in entries}
    return {
        (row.kind, row.external_id): row for row in Item.with_set_aside.filter(project=project, external_id__in=names)
    }


def _keep_blobs(wanted: set[str], blobs: BlobSpool) -> None:
    have = Blob.objects.filter(sha256__in=wanted).values_list("sha256", flat=True)
    stored.insert(blobs.read(wanted.difference(have)))


def _documents(entries: Iterator[dict[str, Any]]) -> dict[str, Document]:
    wanted = {entry["sha256"]: entry for entry in entries}
    Document.objects.bulk_create(
        [
            Document(sha256=sha256, media_type=entry["media_type"], length=entry["length"])
            for sha256, entry in sorted(wanted.items())  # in one order, or two imports could wait for each other
        ],
        ignore_conflicts=True,
    )
    return {row.sha256: row for row in Document.objects.filter(sha256__in=wanted)}


def _authors(project: Project, entries: Any) -> dict[str, int]:
    """User ids of people who appear only in imported files: users who can't log in, one per (project, worker id)."""
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
