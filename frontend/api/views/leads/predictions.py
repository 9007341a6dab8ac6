"""Answers of systems that judging rounds judge."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock, registry
from annotation.errors import UploadRefused
from annotation.imports import uploads
from annotation.models import Project, Upload, User
from frontend import access
from frontend.access.projects import or_not_found
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body, checked_form
from frontend.api.serializers.leads import rounds as told
from frontend.leads.judging import predictions
from frontend.leads.judging.predictions import PredictionsForm


class PredictionsView(LeadView):
    """The answers of systems that a project has, in sets."""

    @extend_schema(operation_id="list_predictions", parameters=PAGED, responses=told.PredictionPageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the sets, the oldest first."""
        project = access.led_project(self.person(), slug)
        page = CursorPage(request, predictions.sets_of(project))
        return Answer(page.answer(told.PredictionSetSerializer(page.rows, many=True).data))

    @extend_schema(
        operation_id="add_predictions",
        request=told.NewPredictionsSerializer,
        responses={201: told.AddedPredictionsSerializer},
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Keep the answers of an uploaded file, of at most 2 MB; those to items that are not there are left out."""
        project = access.led_project(self.person(), slug)
        or_not_found(registry.get(project.protocol).exhibits or None)
        sent = checked_body(request, told.NewPredictionsSerializer)

        def add() -> Answer:
            upload = access.own_upload(self.person(), slug, sent["file"])
            return _added(project, sent, _whole(upload), by=self.person())

        return self.once(add)


def _whole(upload: Upload) -> Upload:
    if not upload.is_whole:
        raise UploadRefused(_("%(name)s has not arrived as a whole yet.") % {"name": upload.name})
    return upload


def _added(project: Project, sent: dict[str, Any], upload: Upload, *, by: User) -> Answer:
    """What was kept. ValidationError with the sentences of the page."""
    with uploads.path_of(upload).open("rb") as file:
        form = PredictionsForm(project, sent, {"file": UploadedFile(file, upload.name, size=upload.size)})
        checked_form(form)
        added = form.add(by=by, now=clock.now())
    checked_form(form)  # it says what is wrong with the file
    made = or_not_found(added)
    found = {"predictions": predictions.sets_of(project).get(pk=made.row.pk), "left_out": made.left_out}
    return Answer(told.AddedPredictionsSerializer(found).data, status=201)
