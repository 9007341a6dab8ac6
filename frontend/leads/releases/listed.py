"""The releases of a project and the builds under way, for the list beside every release; what one leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from annotation import registry, releases
from annotation.i18n import Noun
from annotation.models import Event, Job, Project, Purpose, Release
from frontend.leads.event_lines import wait_in_words
from frontend.wording import translated_noun
from tasks.background import long_jobs

AT_MOST = 50
"""Releases that the list shows; older ones are reached by their address."""
AT_MOST_BUILDS = 5
"""Builds without a release that the list shows."""
BUILD = "build_release"
SHOWN = (Release.State.READY, Release.State.RETRACTED)
WAITING = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True)
class ListedRelease:
    """A release in the list. `items` and `annotations` are None if its manifest can't be read."""

    row: Release
    format: str
    items: int | None
    annotations: int | None


@dataclass(frozen=True)
class Build:
    """A build that waits, runs, failed or was cancelled since the latest release.

    `left`: seconds until it is ready, None if unknown; `ahead`: how many builds come before it, `waits_for`: what else,
    in a sentence.
    """

    job: Job
    left: float | None
    ahead: int
    waits_for: str

    @property
    def is_open(self) -> bool:
        """Whether it has not ended."""
        return self.job.state in WAITING

    @property
    def refused(self) -> int:
        """How many items the format refused."""
        return len(self.job.report.get("refused", ()))


def releases_of(project: Project) -> list[ListedRelease]:
    """Ready and retracted releases, newest first."""
    rows = project.releases.filter(state__in=SHOWN).select_related("project", "by").order_by("-version")
    return [_listed(row) for row in rows[:AT_MOST]]


def latest(project: Project) -> Release | None:
    """The newest release that is ready."""
    rows = project.releases.filter(state=Release.State.READY).select_related("project", "by")
    return rows.order_by("-version").first()


def builds(project: Project, *, now: datetime) -> list[Build]:
    """The builds that have not led to a release, of those since the latest one that did."""
    rows = project.jobs.filter(kind=BUILD)
    done = rows.filter(state=Job.State.DONE).order_by("-pk").values_list("pk", flat=True).first() or 0
    others = rows.exclude(state=Job.State.DONE).filter(pk__gt=done).order_by("-pk")
    return [build_of(job, now=now) for job in others[:AT_MOST_BUILDS]]


def build_of(job: Job, *, now: datetime) -> Build:
    """A build with how long it will take."""
    wait = long_jobs.wait_of(job)
    return Build(job, _seconds_left(job, now=now), wait.ahead, wait_in_words(wait))


def others(release: Release) -> list[Release]:
    """The releases that one can be compared with, newest first: those before it."""
    rows = release.project.releases.filter(state__in=SHOWN, version__lt=release.version)
    return list(rows.select_related("project").order_by("-version"))


def older_of(release: Release, since: str) -> Release | None:
    """The release with that version, else the one before it; None if it is the first."""
    before = others(release)
    return next((one for one in before if str(one.version) == since), before[0] if before else None)


def format_title(project: Project, key: str) -> str:
    """What a format is called; its key if it is gone."""
    found = (one for one in releases.formats_of(project) if key in (one.key, *one.former))
    return next((gettext(one.title) for one in found), key)


def manifest_of(release: Release) -> dict[str, Any]:
    """The manifest of a release, or {} if its files have been removed by hand."""
    try:
        return releases.manifest_of(release)
    except OSError:
        return {}


def people_in(manifest: dict[str, Any]) -> int:
    """How many people made its annotations; manifests of earlier versions count authors of imported ones too."""
    return int(manifest.get("measured", {}).get("people", len(manifest.get("annotations_by_person", ()))))


def _listed(row: Release) -> ListedRelease:
    counts = manifest_of(row).get("counts")
    title = format_title(row.project, row.recipe["format"])
    return ListedRelease(row, title, *(None, None) if counts is None else sums_of(counts))


def sums_of(counts: Mapping[str, Mapping[str, int]]) -> tuple[int, int]:
    """Items and annotations in all splits, those of the items above included."""
    rows = counts.values()
    return sum(row["items"] for row in rows), sum(row["annotations"] + row.get("root_annotations", 0) for row in rows)


def _seconds_left(job: Job, *, now: datetime) -> float | None:
    if job.state != Job.State.RUNNING or not job.total or not job.done:
        return None
    begun = Event.objects.filter(subject=f"job:{job.pk}", kind="job.running").order_by("-pk").first()
    elapsed = (now - begun.at).total_seconds() if begun else 0
    return elapsed * (job.total - job.done) / job.done if elapsed > 1 else None


def noun_counted(project: Project) -> Noun:
    """What the items of the project's releases are called: those that its first format counts."""
    protocol = registry.get(project.protocol)
    found = protocol.formats[0]
    return translated_noun(protocol.noun_of(found.child_kind or found.kind))


PURPOSES = {
    Purpose.CHECK: gettext_lazy("answers to hidden checks (gold)"),
    Purpose.QUIZ: gettext_lazy("answers in exams"),
    Purpose.STUDY: gettext_lazy("answers in studies"),
    Purpose.REFERENCE: gettext_lazy("references of experts"),
}


@dataclass(frozen=True)
class LeftOutRow:
    """So many of what are left out of a split, and why."""

    split: str
    n: int
    why: str
    of_items: bool = False


def left_out_rows(
    left_out: Mapping[str, Mapping[str, Any]], counts: Mapping[str, Mapping[str, int]], *, partial: bool
) -> list[LeftOutRow]:
    """By split, whole splits last; `partial`: items that have any annotation at all are in it."""
    splits = sorted({*left_out, *counts}, key=lambda split: ("split" in left_out.get(split, {}), split))
    return [
        row for split in splits for row in _of_split(split, left_out.get(split, {}), counts.get(split, {}), partial)
    ]


def _of_split(split: str, reasons: Mapping[str, Any], counts: Mapping[str, int], partial: bool) -> Iterator[LeftOutRow]:
    if "split" in reasons:
        aside = reasons["split"]["why"] == "sequestered"
        why = _("a sequestered split: it leaves only when it is named") if aside else _("the split was not chosen")
        yield LeftOutRow(split, reasons["split"]["items"], why, of_items=True)
        return
    if n := counts.get("left_out_incomplete"):
        none, some = _("none of their annotations is finished"), _("not all of their annotations are finished")
        yield LeftOutRow(split, n, none if partial else some, of_items=True)
    if n := counts.get("left_out_by_name"):
        yield LeftOutRow(split, n, _("the format can’t represent them, so they were left out by name"), of_items=True)
    if n := counts.get("left_out_by_format"):
        yield LeftOutRow(split, n, _("the format has no place for them, as its notes say"))
    for reason, n in sorted(reasons.get("excluded", {}).items(), key=lambda entry: (-entry[1], entry[0])):
        yield LeftOutRow(
            split, n, _("excluded: %(why)s") % {"why": reason} if reason else _("excluded for other reasons")
        )
    if not reasons and (n := counts.get("left_out_excluded")):
        yield LeftOutRow(split, n, _("excluded"))
    if n := reasons.get("late"):
        yield LeftOutRow(split, n, ngettext("it came too late for a slot", "they came too late for a slot", n))
    if n := reasons.get("after"):
        yield LeftOutRow(split, n, _("finished after the cut-off"))
    for purpose, n in sorted(reasons.get("purposes", {}).items()):
        yield LeftOutRow(split, n, str(PURPOSES.get(Purpose(purpose), purpose)))
    if n := reasons.get("unfinished"):
        yield LeftOutRow(split, n, _("begun, but not finished"))
