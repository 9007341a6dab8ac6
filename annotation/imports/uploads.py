"""Files that arrive in parts, each stored before it is acknowledged, so that an upload can go on where it was cut.

A part names its place and the CRC-32 of the file up to its end. So a part that comes twice changes nothing, one that
comes too early is refused, and at the end the whole file is known to have arrived as it was sent.
"""

from __future__ import annotations

import os
import shutil
import zlib
from collections import Counter
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.utils.translation import gettext as _

from annotation import events
from annotation.db import full_disk
from annotation.errors import DiskFull, NotFound, PartElsewhere, UploadRefused
from annotation.models import Job, Project, Upload, User
from annotation.storage import files

LONGEST = 2 * 2**30
"""Bytes of a file."""
PART = 2**20
"""Bytes of a part: half of what the server takes in one request."""
OF_A_PERSON = 4
"""Unfinished uploads that a person can have in a project."""
OF_A_PROJECT = 5 * LONGEST
"""Bytes of all files that are kept for a project's imports."""
SPARE = 2**30
"""Bytes of the disk that uploads leave free: an import needs as much again as its file, and the database some."""
LONGEST_NAME = 200
"""Bytes of a file's name; most file systems take 255."""
KEPT = timedelta(days=1)
"""An upload is removed so long after its last part, and a file after the last import that needed it."""
KIND = "file_import"
"""The jobs that import uploaded files."""
UNENDED = (Job.State.QUEUED, Job.State.RUNNING)


def folder() -> Path:
    """Where uploaded files are, each in a folder of its own, so that a line can't name the file of somebody else."""
    return files.shared("uploads")


def path_of(upload: Upload) -> Path:
    """The file itself, under the name that it was uploaded with."""
    return folder() / str(upload.uuid) / upload.name


@transaction.atomic
def begin(project: Project, *, name: str, size: int, beginning: int, by: User, now: datetime) -> Upload:
    """The person's upload of that file: the one that was cut, if there is one. UploadRefused, DiskFull."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # the bounds hold for simultaneous requests too
    same = Upload.objects.filter(project=project, by=by, name=name, size=size, beginning=beginning).first()
    if same is not None:
        return same
    _check_name(name)
    if not 0 < size <= LONGEST:
        raise UploadRefused(
            _("The file is empty.") if not size else _("The file is over 2 GB. Divide it into several files."),
            reason="size",
        )
    kept = Upload.objects.filter(project=project)
    if kept.filter(by=by, received__lt=F("size")).count() >= OF_A_PERSON:
        raise UploadRefused(_("You have several unfinished uploads here. Finish or remove one of them first."))
    if _bytes(kept, "size") + size > OF_A_PROJECT:
        raise UploadRefused(_("The uploaded files of this project take 10 GB. Remove one of them first."))
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    still_to_come = _bytes(Upload.objects.all(), "size") - _bytes(Upload.objects.all(), "received")
    if shutil.disk_usage(folder()).free - still_to_come < size + SPARE:
        raise _disk_full()
    upload = Upload.objects.create(project=project, by=by, name=name, size=size, beginning=beginning, updated_at=now)
    events.record("upload.begun", upload, by=by, now=now, name=name, size=size)
    return upload


def receive(upload: Upload, data: bytes, *, offset: int, checksum: int, now: datetime) -> Upload:
    """Store a part that begins at `offset`; `checksum` is the CRC-32 of the file up to the end of this part.

    On return it is on the disk. A part that has been stored before is passed over. PartElsewhere if it doesn't follow
    what is there, or another part is just being stored: ask where the upload is. UploadRefused, DiskFull.
    """
    home = path_of(upload).parent
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as held:
        try:
            held.enter_context(files.alone_with(home))
        except BlockingIOError:
            raise _elsewhere() from None
        try:
            upload.refresh_from_db()
        except Upload.DoesNotExist:
            shutil.rmtree(home, ignore_errors=True)
            raise NotFound from None
        if offset + len(data) <= upload.received:
            return upload
        if offset != upload.received:
            raise _elsewhere()
        if not 0 < len(data) <= min(PART, upload.size - offset):
            raise UploadRefused(_("The parts of this file don’t fit its size. Begin again."), reason="size")
        if zlib.crc32(data, upload.checksum) != checksum:
            raise UploadRefused(_("A part was damaged on its way."), reason="damaged")
        _write(path_of(upload), data, offset)
        upload.received, upload.checksum, upload.updated_at = offset + len(data), checksum, now
        upload.save(update_fields=["received", "checksum", "updated_at"])
    return upload


@transaction.atomic
def remove(upload: Upload, *, by: User, now: datetime) -> None:
    """Remove an upload, finished or not. UploadRefused while an import needs it."""
    if str(upload.uuid) in needed():
        raise UploadRefused(_("An import is reading this file. Cancel the import first."))
    events.record("upload.removed", upload, by=by, now=now, name=upload.name, received=upload.received)
    _remove(upload)


@transaction.atomic
def remove_used(uuids: list[str]) -> None:
    """Remove the files that an import has brought in, which has not ended yet, unless another one waits for them."""
    in_use = needed()
    for upload in Upload.objects.filter(uuid__in=[uuid for uuid in uuids if uuid]):
        if in_use[str(upload.uuid)] <= 1:
            _remove(upload)


def remove_old(*, now: datetime) -> None:
    """Remove the uploads that nobody goes on with, and files without a row."""
    in_use = needed()
    old = [row for row in Upload.objects.filter(updated_at__lt=now - KEPT) if str(row.uuid) not in in_use]
    for upload in old:
        with transaction.atomic():
            _remove(upload)
    homes = list(folder().iterdir()) if folder().is_dir() else []
    known = {str(uuid) for uuid in Upload.objects.values_list("uuid", flat=True)}
    for home in homes:
        if home.name not in known:
            shutil.rmtree(home, ignore_errors=True)


def _remove(upload: Upload) -> None:
    home = path_of(upload).parent
    upload.delete()
    transaction.on_commit(lambda: shutil.rmtree(home, ignore_errors=True))


def needed() -> Counter[str]:
    """How many imports that have not ended need each upload, by its uuid."""
    reports = Job.objects.filter(kind=KIND, state__in=UNENDED).values_list("report", flat=True)
    return Counter(report["asked"][name] for report in reports for name in ("file", "beside"))


def _check_name(name: str) -> None:
    if not name.strip(" .") or name.startswith(".") or not name.isprintable() or set(name) & set("/\\"):
        raise UploadRefused(_("Give the file another name: letters, digits, spaces, dots, - and _."), reason="name")
    if len(name.encode()) > LONGEST_NAME:
        raise UploadRefused(_("Give the file a shorter name."), reason="name")


def _bytes(rows: QuerySet[Upload], column: str) -> int:
    return rows.aggregate(sum=Sum(column))["sum"] or 0


def _write(path: Path, data: bytes, offset: int) -> None:
    """Write at that place of the file, durably. DiskFull."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            written = 0
            while written < len(data):
                written += os.pwrite(file, data[written:], offset + written)
            os.fdatasync(file)
        finally:
            os.close(file)
    except OSError as error:
        with suppress(FileNotFoundError):
            os.truncate(path, offset)
        if full_disk.is_full(error):
            raise _disk_full() from None
        raise


def _disk_full() -> DiskFull:
    return DiskFull(_("There is not enough room on the server’s disk. An operator has to make some; then go on."))


def _elsewhere() -> PartElsewhere:
    return PartElsewhere(_("This part does not follow what has arrived."))
