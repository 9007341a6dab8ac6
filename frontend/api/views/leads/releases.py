"""Releases of a project: the list, one with its files, and retracting it."""

from __future__ import annotations

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import Release
from annotation.releases import building
from frontend import access, downloads
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body, checked_form
from frontend.api.serializers.leads import releases as told
from frontend.api.views.leads.release_jobs import build_told
from frontend.leads.releases import listed, making

FILES: dict[tuple[int, str], OpenApiTypes] = {
    **{(200, kind.partition(";")[0]): OpenApiTypes.BINARY for kind in downloads.TYPES.values()},
    (200, downloads.JSON): OpenApiTypes.ANY,
}
"""What a file of a release can be."""


class ReleasesView(LeadView):
    """The releases of a project that are ready or were retracted."""

    @extend_schema(operation_id="list_releases", parameters=PAGED, responses=told.ReleasePageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the releases, the oldest first."""
        rows = access.led_project(self.person(), slug).releases.filter(state__in=listed.SHOWN).select_related("by")
        page = CursorPage(request, rows, order=("version",))
        return Answer(page.answer(told.ReleaseSerializer(page.rows, many=True).data))

    @extend_schema(
        operation_id="make_release", request=told.ReleaseAskSerializer, responses={202: told.BuildSerializer}
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Make a release: a job builds it, unless the same build is waiting already."""
        project, now = access.led_project(self.person(), slug), clock.now()
        form = making.form_of_choices(project, checked_body(request, told.ReleaseAskSerializer), now=now)
        checked_form(form)
        return self.once(lambda: build_told(making.ask(project, form, by=self.person(), now=now), 202))


class ReleaseView(LeadView):
    """One of these releases."""

    @extend_schema(operation_id="read_release", responses=told.WholeReleaseSerializer)
    def get(self, request: Request, slug: str, version: int) -> Answer:
        """Read what a release was made of, and which files it has."""
        return _told(access.seen_release(self.person(), slug, version))


class RetractView(LeadView):
    """Stop offering a release. Its files can’t be downloaded any more, and its version is never used again."""

    @extend_schema(operation_id="retract_release", request=told.ReasonSerializer, responses=told.WholeReleaseSerializer)
    def post(self, request: Request, slug: str, version: int) -> Answer:
        """Retract a release, with a reason."""
        release, sent = access.seen_release(self.person(), slug, version), checked_body(request, told.ReasonSerializer)

        def retract() -> Answer:
            building.retract(release, by=self.person(), reason=sent["reason"], now=clock.now())
            return _told(release)

        return self.once(retract)


class ReleaseFileView(LeadView):
    """A file of a ready release, by its name in the manifest (`manifest.json` and `SHA256SUMS` are files too).

    `Range` and `If-Range` are followed, so that a download can go on where it was cut.
    """

    shows_answers = True

    @extend_schema(operation_id="download_release_file", responses=FILES)
    def get(self, request: Request, slug: str, version: int, name: str) -> HttpResponseBase:
        """Download a file of a release."""
        return downloads.file_of_release(access.led_release(self.person(), slug, version), name, user=self.person())


def _told(release: Release) -> Answer:
    return Answer(told.WholeReleaseSerializer(release).data)
