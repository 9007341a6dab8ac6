"""The job that imports an uploaded file: it keeps how far it is, what it refused, and the refused lines themselves; and
which failed imports still need a lead. What came in later, or was dismissed, needs nobody.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation import clock, events, registry
from annotation.engine import job_leases
from annotation.errors import ImportRefused, UploadRefused, WrongMove
from annotation.exchange.reading import ending_in_zip, options_for, previewed
from annotation.imports import refused_lines, run, uploads
from annotation.imports.insert import ImportReport
from annotation.imports.refused_lines import Uploaded, UploadedTexts
from annotation.imports.run import Mode
from annotation.models import Job, LineRemark, Project, Upload, User
from annotation.parsing.text_zips import has_texts

SMALL = 4 * 1024 * 1024
"""Bytes of files whose import takes seconds."""
ROWS = 200
"""Remarks per transaction."""
FILES = ("file", "beside")
IMPORTED_BY = "import"
"""Where the report of such a job has the key of the job under which its items came in; 0 if none did."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Options:
    """What is to be done with a file: `beside` is the upload of a zip with the pages or images that it names.

    `published`: data in a published layout with its annotations, as opposed to items to be worked on. `fields`: what
    the texts of a zip have in common, such as their `domain`. `export`: what the lead says of the export of another
    tool (`annotation.exchange.options.options_from`).
    """

    file: Upload
    beside: Upload | None
    published: bool
    split: str
    mode: Mode
    fields: Mapping[str, str] = field(default_factory=dict)
    export: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_short(self) -> bool:
        """Whether it is done in seconds: its files are small."""
        return sum(upload.size for upload in (self.file, self.beside) if upload) <= SMALL

    def as_json(self) -> dict[str, Any]:
        return {
            "file": str(self.file.uuid),
            "beside": str(self.beside.uuid) if self.beside else "",
            "published": self.published,
            "split": self.split,
            "mode": str(self.mode),
            "fields": dict(self.fields),
            "export": dict(self.export),
        }


def check_whole(options: Options) -> None:
    """UploadRefused unless all of the files have arrived."""
    for upload in filter(None, (options.file, options.beside)):
        if not upload.is_whole:
            raise UploadRefused(_("%(name)s has not arrived as a whole yet.") % {"name": upload.name})


def bring_in(job: Job, *, by: User | None, progress: Progress) -> dict[str, Any]:
    """Check the file that the job asks for and, unless it only asks for that, import it. Returns the counts."""
    asked = job.report["asked"]
    source, mode, report = _source(job.project, asked), Mode(asked["mode"]), ImportReport()
    LineRemark.objects.filter(job=job).delete()
    remarks = _Remarks(job, report)
    _step(job, "check")
    lines = source.count_lines(lambda: progress(0, 0))

    def tell(step: str, done: int, total: int) -> None:
        if step != job.report["step"]:
            _step(job, step)
        remarks.keep()
        progress(report.line if step == "check" else done, lines if step == "check" else total)

    try:
        sha256 = source.sha256()
        job_leases.when_free(
            lambda: run.run(
                job.project, source, sha256=sha256, by=by, clock=clock.now, progress=tell, mode=mode, report=report
            ),
            waiting=lambda: progress(0, 0),
        )
        remarks.said = refused_lines.write(job, source, report.refused, each=lambda: progress(0, 0))
    except run.LinesRefused:
        remarks.said = refused_lines.write(job, source, report.refused, each=lambda: progress(0, 0))
        raise ImportRefused(_sentence(report)) from None
    finally:
        remarks.end()
        facts = {
            "refused": len({found.line for found in report.refused}),
            "noted": report.notes.total,
            "not_kept": report.notes.not_kept,
        }
        how = {"by_lines": source.is_read_by_lines, "read_as": report.read_as}
        shown = {} if source.export is None else {"preview": previewed(source.export)}
        _store(
            job, **facts, **how, **shown, **{IMPORTED_BY: report.job}, read=report.read, read_until=report.read_until
        )
    if mode != Mode.CHECK and not report.refused:
        uploads.remove_used([asked["file"], asked["beside"]])
    return {"items": report.items, "adopted": report.adopted, "annotations": report.annotations}


def _source(project: Project, asked: dict[str, Any]) -> Uploaded | UploadedTexts:
    """The file; a zip of texts, if the protocol reads texts and the file is a zip."""
    paths = [uploads.path_of(Upload.objects.get(uuid=asked[name])) if asked[name] else None for name in FILES]
    if paths[0] is None or not all(path.exists() for path in paths if path):
        raise ImportRefused(_("The uploaded file is gone. Upload it again."))
    protocol = registry.get(project.protocol)
    export = options_for(protocol, paths[0], asked.get("export", {}))
    how = {"published": asked["published"], "split": asked["split"], "config": project.config, "export": export}
    if export is not None and (ending := ending_in_zip(export, paths[0])):
        return UploadedTexts(paths[0], suffix=ending, **how)
    if export is None and protocol.reads_texts and has_texts(paths[0]) and not asked["published"]:
        return UploadedTexts(paths[0], fields=asked["fields"], **how)
    return Uploaded(paths[0], beside=paths[1], **how)


def _step(job: Job, step: str) -> None:
    """The import goes on to its next pass."""
    _store(job, step=step, step_at=clock.now().isoformat())


def _store(job: Job, **facts: Any) -> None:
    job.report |= facts
    Job.objects.filter(pk=job.pk).update(report=job.report)


def _sentence(report: ImportReport) -> str:
    count = len({found.line for found in report.refused})
    return ngettext(
        "%(n)s line was refused.",
        "%(n)s lines were refused.",
        count,
    ) % {"n": f"{count:,}"}


class _Remarks:
    """Stores what the report says about lines while it grows."""

    def __init__(self, job: Job, report: ImportReport) -> None:
        self._job, self._report = job, report
        self._refused, self._kept, self._next = report.refused, 0, 0.0
        self.said: refused_lines.Said = {}

    def keep(self) -> None:
        """Store what is new, twice a second at most."""
        if time.monotonic() < self._next or self._kept == len(self._refused):
            return
        self._store()
        self._next = time.monotonic() + 0.5

    def end(self) -> None:
        """Store the rest, what the lines say there, and the notes."""
        self._store()
        rows = list(LineRemark.objects.filter(job=self._job, refused=True)) if self.said else []
        for row in rows:
            row.says = self.said.get((row.line, row.field), "")
        LineRemark.objects.bulk_update(rows, ["says"], batch_size=ROWS)
        notes = self._report.notes
        self._create(
            [
                LineRemark(job=self._job, refused=False, line=each.line, text=each.text, count=each.times)
                for each in notes
            ]
        )

    def _store(self) -> None:
        new, self._kept = self._refused[self._kept :], len(self._refused)
        self._create(
            [
                LineRemark(job=self._job, refused=True, line=each.line, field=each.field[:200], text=each.reason)
                for each in new
            ]
        )

    @staticmethod
    def _create(rows: list[LineRemark]) -> None:
        for start in range(0, len(rows), ROWS):
            LineRemark.objects.bulk_create(rows[start : start + ROWS])


ENDING = re.compile(r"(\.(gz|zip|jsonl|json|csv|tsv|txt))+$", re.IGNORECASE)
OF_MENDED = "refused-"
"""The beginning of the name under which refused lines are downloaded, to be mended."""


def unsettled_imports(project: Project, *, since: datetime, at_most: int) -> list[Job]:
    """The failed imports since then, newest first, that no lead has dismissed and whose records have not come in."""
    imports = project.jobs.filter(kind__contains="import")
    failed = imports.filter(state=Job.State.FAILED, dismissed_at=None, finished_at__gte=since).order_by("-pk")
    brings = ~Q(report__asked__mode=Mode.CHECK) | Q(report__asked__mode__isnull=True)  # commands don't say a mode
    came_in = list(imports.filter(brings, state=Job.State.DONE, undone_at=None, finished_at__gte=since))
    return [job for job in failed if not any(_same(job, later) for later in came_in)][:at_most]


def _same(failed: Job, later: Job) -> bool:
    """Whether the later import was of the same upload, or of a file with the same name but for how it is packed."""
    if later.pk < failed.pk:
        return False
    uploads = {job.report.get("asked", {}).get("file") for job in (failed, later)}
    return (len(uploads) == 1 and None not in uploads) or _stem(failed.subject) == _stem(later.subject)


def _stem(name: str) -> str:
    return ENDING.sub("", name.casefold().removeprefix(OF_MENDED))


@transaction.atomic
def dismiss_failure(job: Job, *, by: User, now: datetime) -> None:
    """Say that a failed import needs nobody any more; twice is once. WrongMove if it has not failed."""
    if job.state != Job.State.FAILED:
        raise WrongMove
    if Job.objects.filter(pk=job.pk, dismissed_at=None).update(dismissed_at=now):
        events.record("job.dismissed", job, by=by, now=now)


@transaction.atomic
def take_up_failure(job: Job, *, by: User, now: datetime) -> None:
    """Take a dismissal back."""
    if Job.objects.filter(pk=job.pk, dismissed_at__isnull=False).update(dismissed_at=None):
        events.record("job.taken_up", job, by=by, now=now)
