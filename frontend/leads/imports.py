"""The imports of a project, with their uploads and refused lines."""

from __future__ import annotations

import uuid as uuids
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypedDict

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.errors import ImportRefused, NotFound, UploadRefused
from annotation.exchange.options import EXPORT_FLAGS, EXPORT_TEXTS, TITLES, options_from
from annotation.imports import refused_lines, uploads
from annotation.imports.job import Options, check_whole
from annotation.imports.reading import SPLIT
from annotation.imports.run import Mode
from annotation.models import Job, LineRemark, Project, Upload, User
from annotation.models.job import JOB_MOVES
from frontend.leads.event_lines import wait_in_words
from tasks.background import long_jobs
from tasks.models.states import QueueState
from tasks.setup import undoing_imports

A_PAGE = 50
S = Job.State


@dataclass(frozen=True)
class ImportProgress:
    """An import as its page shows it; `report` is what its job keeps.

    `step` is where it is: `upload` while it waits, `check`, `insert` or `end`. `left`: seconds to the end of the step,
    None while unknown; `rate`: lines or items a second. `ahead`: the imports of the project that it waits for,
    `waits_for`: what else, in a sentence. `kept`: whether its files are still there, to be imported without uploading
    them again.
    """

    job: Job
    report: dict[str, Any]
    by: User | None
    at: datetime
    step: str
    rate: float
    left: float | None
    ahead: int
    waits_for: str
    refused: Page[LineRemark]
    notes: Page[LineRemark]
    kept: bool
    has_lines: bool
    good: int
    """Lines that were read and not refused."""
    imported: Job | None
    """The job under which its items came in, as long as it is not undone."""
    stays: str
    """Why it can't be undone, as a sentence; "" if it can."""

    @property
    def asked(self) -> dict[str, Any]:
        """What the lead asked for."""
        asked: dict[str, Any] = self.report["asked"]
        return asked

    @property
    def stated(self) -> list[tuple[str, str]]:
        """What the lead said of the export of another tool, as the form sends it."""
        return [(name, "on" if value is True else value) for name, value in self.asked.get("export", {}).items()]

    @property
    def is_over(self) -> bool:
        """Whether it has ended, so that nothing on the page changes any more."""
        return not JOB_MOVES[S(self.job.state)]

    @property
    def only_checks(self) -> bool:
        return bool(self.asked["mode"] == Mode.CHECK)

    @property
    def is_in(self) -> bool:
        """Whether what it read is in the project now."""
        return self.job.state == S.DONE and not self.only_checks and not self.job.undone_at

    @property
    def can_be_undone(self) -> bool:
        """Whether it has items that were brought by it alone, and nothing speaks against taking them out."""
        return self.imported is not None and not self.stays

    @property
    def is_handed_out(self) -> bool:
        """Whether a queue is open, so that people are given the project's items."""
        return self.job.project.queues.filter(state=QueueState.OPEN).exists()

    @property
    def can_begin(self) -> bool:
        """Whether all of the checked file can be imported now."""
        return self.kept and self.only_checks and self.job.state == S.DONE and not self.report["refused"]

    @property
    def can_take_the_rest(self) -> bool:
        """Whether the lines that were not refused can be imported now."""
        ended = self.job.state == S.FAILED or (self.only_checks and self.job.state == S.DONE)
        return self.kept and ended and self.good > 0 and self.report["refused"] > 0 and not self.report["read_until"]


def uploads_of(project: Project, user: User) -> list[Upload]:
    """The person's uploads, the latest first, that no import needs."""
    needed = uploads.needed()
    rows = Upload.objects.filter(project=project, by=user).order_by("-updated_at")
    return [row for row in rows if str(row.uuid) not in needed]


def of_project(project: Project, *, page: str) -> Page[Job]:
    """The imports of uploaded files, the latest first."""
    return Paginator(project.jobs.filter(kind=uploads.KIND).order_by("-pk"), 20).get_page(page)


def people_of(jobs: Iterable[Job]) -> list[tuple[Job, User | None, datetime]]:
    """Each import with the person who began it and the time."""
    rows = list(jobs)
    people = User.objects.in_bulk([job.report["by"] for job in rows])
    return [(job, people.get(job.report["by"]), datetime.fromisoformat(job.report["at"])) for job in rows]


def announced(sent: Mapping[str, str]) -> dict[str, Any]:
    """What a browser says about a file before it uploads it."""
    return {"name": sent.get("name", ""), **{name: _number(sent.get(name, "")) for name in ("size", "beginning")}}


def place_of(headers: Mapping[str, str]) -> dict[str, int]:
    """Where a part belongs, and the checksum up to its end."""
    return {name: _number(headers.get(f"Upload-{name}", "")) for name in ("offset", "checksum")}


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 16):
        raise UploadRefused(_("This request can’t be read."), reason="number")
    return int(text)


class UploadState(TypedDict):
    """What a browser needs to go on with an upload."""

    uuid: str
    url: str
    remove: str
    received: int
    checksum: int


def state_of(upload: Upload) -> UploadState:
    """How far the upload is."""
    return {
        "uuid": str(upload.uuid),
        "url": reverse("upload", args=[upload.project.slug, upload.uuid]),
        "remove": reverse("remove_upload", args=[upload.project.slug, upload.uuid]),
        "received": upload.received,
        "checksum": upload.checksum,
    }


def options_of(sent: Mapping[str, str], upload_of: Callable[[uuids.UUID], Upload]) -> Options:
    """What the form asks for; UploadRefused."""
    split, mode = sent.get("split", "").strip(), sent.get("mode", "")
    if split and not SPLIT.fullmatch(split):
        raise UploadRefused(_("A split’s name has up to 40 letters, digits, - and _."))
    beside, domain = sent.get("beside", ""), sent.get("domain", "").strip()
    if not sent.get("file"):
        raise UploadRefused(_("Choose a file."))
    options = Options(
        file=upload_of(_uuid(sent.get("file", ""))),
        beside=upload_of(_uuid(beside)) if beside else None,
        published=sent.get("what", "") == "release",
        split=split,
        mode=Mode(mode) if mode in set(Mode) else Mode.ALL,
        fields={"domain": domain} if domain else {},
        export=export_of(sent),
    )
    check_whole(options)
    return options


def export_of(sent: Mapping[str, str]) -> dict[str, Any]:
    """What the form says about the export of another tool: only what was filled in. UploadRefused."""
    stated = {name: sent[name].strip() for name in EXPORT_TEXTS if sent.get(name, "").strip()}
    flags = {name: True for name in EXPORT_FLAGS if sent.get(name)}
    try:
        options_from(stated, recognised=next(iter(TITLES)))
    except ImportRefused as refused:
        raise UploadRefused(refused.message) from None
    return stated | flags


def _uuid(text: str) -> uuids.UUID:
    try:
        return uuids.UUID(text)
    except ValueError:
        raise NotFound from None


def import_progress(job: Job, *, page: str, now: datetime) -> ImportProgress:
    """An import with a page of its refused lines."""
    refused = job.remarks.filter(refused=True).values("line").distinct().count()
    report = {"refused": refused, "noted": 0, "read": 0, "read_until": 0, "by_lines": True} | job.report
    (rate, left), wait = _pace(job, report, now), long_jobs.wait_of(job)
    remarks = job.remarks.order_by("line", "pk")
    imported = undoing_imports.imported_by(job) if job.state == S.DONE and not job.undone_at else None
    return ImportProgress(
        job=job,
        report=report,
        by=User.objects.filter(pk=report["by"]).first(),
        at=datetime.fromisoformat(report["at"]),
        step="upload" if job.state == S.QUEUED else report.get("step", "check") if job.state == S.RUNNING else "end",
        rate=rate,
        left=left,
        ahead=wait.ahead,
        waits_for=wait_in_words(wait),
        refused=Paginator(remarks.filter(refused=True), A_PAGE).get_page(page),
        notes=Paginator(remarks.filter(refused=False).order_by("-count", "line", "pk"), A_PAGE).get_page("1"),
        kept=_kept(report["asked"]),
        has_lines=refused_lines.path_of(job).exists() and job.state != S.RUNNING,
        imported=imported,
        stays=undoing_imports.why_not_undo(imported) if imported else "",
        good=max(0, (report["read"] or job.done) - report["refused"]),
    )


def undoable(job: Job) -> Job:
    """The job under which the items of an uploaded file came in. NotFound."""
    found = undoing_imports.imported_by(job)
    if found is None:
        raise NotFound
    return found


def _pace(job: Job, report: dict[str, Any], now: datetime) -> tuple[float, float | None]:
    """Lines or items a second in this step, and the seconds that are left of it."""
    if job.state != S.RUNNING or "step_at" not in report or job.heartbeat_at is None:
        return 0, None
    seconds = (job.heartbeat_at - datetime.fromisoformat(report["step_at"])).total_seconds()
    if seconds < 1 or not job.done:
        return 0, None
    rate = job.done / seconds
    return rate, (job.total - job.done) / rate if job.total else None


def _kept(asked: dict[str, Any]) -> bool:
    wanted = [asked[name] for name in ("file", "beside") if asked[name]]
    return Upload.objects.filter(uuid__in=wanted).count() == len(wanted)


def refused_table(job: Job) -> Iterator[tuple[Any, ...]]:
    """The names of the columns, then line, field, reason and what the line says there, of each refused line."""
    yield "line", "field", "reason", "says"
    rows = job.remarks.filter(refused=True).order_by("line", "pk").values_list("line", "field", "text", "says")
    yield from rows.iterator()


def file_of_refused(job: Job) -> tuple[Path, str]:
    """The file with the refused lines, and its name for the person. NotFound."""
    path = refused_lines.path_of(job)
    if job.state == S.RUNNING or not path.exists():
        raise NotFound
    name = job.subject.removesuffix(".gz")
    if name.endswith(".zip"):
        name = f"{name.removesuffix('.zip')}.{'jsonl' if refused_lines.are_objects(path) else 'csv'}"
    return path, f"refused-{name}"
