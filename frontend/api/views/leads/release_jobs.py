"""The jobs of releases: what one would contain is counted, and one is built."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import Job
from frontend import access
from frontend.api.base import LeadView
from frontend.api.sent import checked_body, checked_form
from frontend.api.serializers.leads import releases as told
from frontend.leads.releases import listed, making
from tasks.background import long_jobs

COUNTED = {200: told.ReleaseCountSerializer, 202: told.ReleaseCountSerializer}


class ReleaseCountView(LeadView):
    """What a release would contain if it were made now."""

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

    @extend_schema(operation_id="read_release_count", responses=told.ReleaseCountSerializer)
    def get(self, request: Request, slug: str, job: int) -> Answer:
        """Read what a job has counted."""
        return _count_told(access.led_job(self.person(), slug, job, kinds=(making.PREVIEW,)))


class BuildView(LeadView):
    """The job that builds a release."""

    @extend_schema(operation_id="read_build", responses=told.BuildSerializer)
    def get(self, request: Request, slug: str, build: int) -> Answer:
        """Read how far a build is, and which version it has made."""
        return build_told(access.led_job(self.person(), slug, build, kinds=(making.BUILD,)))


class BuildCancelView(LeadView):
    """Stop the job that builds a release."""

    @extend_schema(operation_id="cancel_build", request=None, responses=told.BuildSerializer)
    def post(self, request: Request, slug: str, build: int) -> Answer:
        """Cancel a build: nothing is released."""
        found = access.led_job(self.person(), slug, build, kinds=(making.BUILD,))

        def cancel() -> Answer:
            long_jobs.cancel(found, by=self.person(), now=clock.now())
            return build_told(found)

        return self.once(cancel)


def build_told(job: Job, status: int = 200) -> Answer:
    """What is said of such a job."""
    return Answer(told.BuildSerializer(listed.build_of(job, now=clock.now())).data, status=status)


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
