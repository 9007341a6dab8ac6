"""Releases of a project: what one would contain, the job that builds it, the list, and retracting one."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import Job, Project, Release
from annotation.releases import building
from frontend import access, downloads
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call
from frontend.api.paging import CursorPage
from frontend.api.sent import checked_body, checked_form
from frontend.api.serializers.leads import releases as told
from frontend.leads.releases import listed, making
from tasks.background import long_jobs

led_build = partial(access.led_job, kinds=(making.BUILD,))
COUNTED = {200: told.ReleaseCountSerializer, 202: told.ReleaseCountSerializer}
FILES: dict[tuple[int, str], OpenApiTypes] = {
    **{(200, kind.partition(";")[0]): OpenApiTypes.BINARY for kind in downloads.TYPES.values()},
    (200, downloads.JSON): OpenApiTypes.ANY,
}
"""What a file of a release can be."""


class ReleaseCountView(LeadView):
    """What a release would contain if it were made now; asked again, it counts again, or names the job that counts."""

    keyed = False

    @extend_schema(operation_id="count_release", request=told.ReleaseAskSerializer, responses=COUNTED)
    def post(self, request: Request, slug: str) -> Answer:
        """Count what a release would have, at once (200), or by a job where that takes long (202)."""
        project, now = access.led_project(self.person(), slug), clock.now()
        form = making.form_of_choices(project, checked_body(request, told.ReleaseAskSerializer), now=now)
        checked_form(form)
        found = making.count(project, form, by=self.person(), now=now)
        if isinstance(found, Job):
            return _count_told(found, 202)
        return Answer(_counted(found, partial=form.cleaned_data["partial"]))


class ReleaseCountJobView(LeadView):
    """The job that counts what a release would contain."""

    @read_call(
        "read_release_count", told.ReleaseCountSerializer, finder=partial(access.led_job, kinds=(making.PREVIEW,))
    )
    def get(self, job: Job) -> Answer:
        """Read what a job has counted."""
        return _count_told(job)


class BuildView(LeadView):
    """The job that builds a release."""

    @read_call("read_build", told.BuildSerializer, finder=led_build)
    def get(self, job: Job) -> listed.Build:
        """Read how far a build is, and which version it has made."""
        return listed.build_of(job, now=clock.now())


class BuildCancelView(LeadView):
    """Stop the job that builds a release."""

    @change_call("cancel_build", told.BuildSerializer, finder=led_build)
    def post(self, job: Job) -> listed.Build:
        """Cancel a build: nothing is released."""
        long_jobs.cancel(job, by=self.person(), now=clock.now())
        return listed.build_of(job, now=clock.now())


def _count_told(job: Job, status: int = 200) -> Answer:
    if job.state == Job.State.DONE:
        return Answer(_counted(job.report["result"], partial=job.report["asked"]["partial"], job=job.pk))
    empty = dict.fromkeys(("items", "annotations", "people", "counts", "left_out"))
    found = {"job": job.pk, "state": job.state, "error": job.error} | empty
    return Answer(told.ReleaseCountSerializer(found).data, status=status)


def _counted(preview: dict[str, Any], *, partial: bool, job: int | None = None) -> Any:
    counts = preview["counts"]
    items, annotations = listed.sums_of(counts)
    found = {
        "job": job,
        "state": Job.State.DONE,
        "items": items,
        "annotations": annotations,
        "people": preview["people"],
        "counts": counts,
        "left_out": listed.left_out_rows(preview["left_out"], counts, partial=partial),
        "error": "",
    }
    return told.ReleaseCountSerializer(found).data


class ReleasesView(LeadView):
    """The releases of a project that are ready or were retracted."""

    @read_call("list_releases", told.ReleasePageSerializer)
    def get(self, project: Project) -> Any:
        """List the releases, the oldest first."""
        rows = project.releases.filter(state__in=listed.SHOWN).select_related("by")
        return CursorPage(self.request, rows, order=("version",)).answer()

    @change_call("make_release", told.BuildSerializer, body=told.ReleaseAskSerializer, status=202)
    def post(self, project: Project, sent: dict[str, Any]) -> listed.Build:
        """Make a release: a job builds it, unless the same build is waiting already."""
        now = clock.now()
        form = making.form_of_choices(project, sent, now=now)
        checked_form(form)
        return listed.build_of(making.ask(project, form, by=self.person(), now=now), now=now)


class ReleaseView(LeadView):
    """One of these releases."""

    @read_call("read_release", told.WholeReleaseSerializer, finder=access.seen_release)
    def get(self, release: Release) -> Release:
        """Read what a release was made of, and which files it has."""
        return release


class RetractView(LeadView):
    """Stop offering a release. Its files can’t be downloaded any more, and its version is never used again."""

    @change_call("retract_release", told.WholeReleaseSerializer, finder=access.seen_release, body=told.ReasonSerializer)
    def post(self, release: Release, sent: dict[str, Any]) -> Release:
        """Retract a release, with a reason."""
        building.retract(release, by=self.person(), reason=sent["reason"], now=clock.now())
        return release


class ReleaseFileView(LeadView):
    """A file of a ready release, by its name in the manifest (`manifest.json` and `SHA256SUMS` are files too).

    `Range` and `If-Range` are followed, so that a download can go on where it was cut.
    """

    shows_answers = True

    @extend_schema(operation_id="download_release_file", responses=FILES)
    def get(self, request: Request, slug: str, version: int, name: str) -> HttpResponseBase:
        """Download a file of a release."""
        return downloads.file_of_release(access.led_release(self.person(), slug, version), name, user=self.person())
