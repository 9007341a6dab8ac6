"""The page on which a release is made: its choices, what it would contain, and the job that builds it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation.errors import NotFound, ReleaseRefused
from annotation.models import Item, Job, Project, User
from annotation.releases import selection
from annotation.releases.job import counted_preview, is_quick_preview, release_options
from frontend.leads.releases import listed
from frontend.leads.releases.forms import ReleaseForm, defaults
from tasks.background import long_jobs
from tasks.disputes import deciding

BUILD, PREVIEW = listed.BUILD, "preview_release"
REFUSED = 100
"""Refused items that the page of a failed build lists."""


def form_of(project: Project, data: QueryDict, *, now: datetime, sent: bool = False) -> ReleaseForm:
    """The form with what was chosen; with the defaults if nothing was, unless it was `sent`: then nothing is chosen."""
    return ReleaseForm(project, data if sent or "format" in data else defaults(project), now=now)


def form_of_choices(project: Project, chosen: Mapping[str, Any], *, now: datetime) -> ReleaseForm:
    """The form with what a script chose, and the defaults for the rest."""
    return ReleaseForm(project, {**defaults(project), **chosen}, now=now)


def count(project: Project, form: ReleaseForm, *, by: User, now: datetime) -> dict[str, Any] | Job:
    """What a release of these choices would contain, or the job that counts it, where that takes long. ReleaseRefused.

    A job for the same choices that has not ended is not asked for twice.
    """
    options = form.options
    if is_quick_preview(project, format=options["format"]):
        return counted_preview(project, **release_options(options))
    waiting = project.jobs.filter(kind=PREVIEW, state__in=listed.WAITING)
    return next((job for job in waiting if job.report["asked"] == options), None) or ask_preview(
        project, form, by=by, now=now
    )


def page_of(project: Project, data: QueryDict, *, now: datetime, sent: bool = False) -> dict[str, Any]:
    """The choices; what they lead to (`preview`), or the job that counts it; and why nothing can be released."""
    form = form_of(project, data, now=now, sent=sent)
    page = {"project": project, "form": form, "noun": listed.noun_counted(project), "has_items": bool(form.splits)}
    if not form.is_valid():
        return page
    page["query"] = query_of(form)
    page["disputed"], page["undecided"] = deciding.count_disputed_items(project, form.cleaned_data["split"])
    try:
        if is_quick_preview(project, format=form.cleaned_data["format"]):
            return page | _counted(counted_preview(project, **release_options(form.options)), form)
        job = _preview_job(project, form, data.get("job", ""))
    except ReleaseRefused as refusal:
        return page | {"refused": refusal.message}
    if job is not None and job.state == Job.State.DONE:
        return page | _counted(job.report["result"], form) | {"counted_at": job.finished_at}
    return page | {"job": job, "slow": True}


def _preview_job(project: Project, form: ReleaseForm, key: str) -> Job | None:
    """The job that counts what is chosen now."""
    rows = project.jobs.filter(kind=PREVIEW, pk=int(key)) if key.isascii() and key.isdigit() and len(key) < 18 else ()
    return next((job for job in rows if job.report["asked"] == form.options), None)


def _counted(preview: dict[str, Any], form: ReleaseForm) -> dict[str, Any]:
    counts = preview["counts"]
    items, annotations = listed.sums_of(counts)
    return {
        "preview": preview,
        "counts": [{"split": split, **row} for split, row in counts.items()],
        "items": items,
        "annotations": annotations,
        "left_out": listed.left_out_rows(preview["left_out"], counts, partial=form.cleaned_data["partial"]),
    }


def query_of(form: ReleaseForm) -> str:
    """The choices of a valid form as a query string."""
    chosen = form.cleaned_data
    pairs = [("split", split) for split in chosen["split"]] + [("format", chosen["format"])]
    pairs += [("partial", "on")] if chosen["partial"] else []
    pairs += [("times", chosen["times"])] if chosen["times"] else []
    pairs += [("name_writers", "on")] if chosen["name_writers"] else []
    pairs += [("until", form["until"].value())] if chosen["until"] else []
    return urlencode(pairs)


def ask(project: Project, form: ReleaseForm, *, by: User, now: datetime) -> Job:
    """Put the build of what was chosen into the queue; only once, if the same is already there."""
    options = form.options
    waiting = project.jobs.filter(kind=BUILD, state__in=listed.WAITING)
    same = next((job for job in waiting if job.report["asked"] == options), None)
    return same or long_jobs.ask(project, BUILD, subject=_subject(project, options), asked=options, by=by, now=now)


def ask_preview(project: Project, form: ReleaseForm, *, by: User, now: datetime) -> Job:
    """Put the counting of what was chosen into the queue."""
    options = form.options
    return long_jobs.ask(project, PREVIEW, subject=_subject(project, options), asked=options, by=by, now=now)


def ask_without(job: Job, *, by: User, now: datetime) -> Job:
    """Build what a failed job should have built, without the items that the format refused."""
    refused = job.report.get("refused", ())
    if not refused:
        raise NotFound
    named = {selection.name_of(kind, name) for kind, name, _why in refused}
    asked = job.report["asked"] | {"without": sorted(named | set(job.report["asked"].get("without", ())))}
    return long_jobs.ask(job.project, BUILD, subject=job.subject, asked=asked, by=by, now=now)


def job_page(job: Job, *, now: datetime) -> dict[str, Any]:
    """A build, with the items that the format refused."""
    refused = job.report.get("refused", ())
    return {
        "project": job.project,
        "build": listed.build_of(job, now=now),
        "asked": job.report["asked"],
        "refused": [_refused(job.project, *row) for row in refused[:REFUSED]],
        "more": max(0, len(refused) - REFUSED),
    }


def _refused(project: Project, kind: str, name: str, why: str) -> dict[str, Any]:
    item = Item.objects.filter(project=project, kind=kind, external_id=name).first()
    return {"item": item.pk if item else None, "name": name, "why": why}


def _subject(project: Project, options: dict[str, Any]) -> str:
    names = ", ".join(options["splits"]) or _("every split")
    return f"{listed.format_title(project, options['format'])}, {names}"[:200]
