"""Files that a script uploads in parts, and imports of them."""

from __future__ import annotations

import uuid as uuids
from functools import partial
from typing import IO, Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.imports import uploads
from annotation.models import Job, Project, Upload
from frontend import access, downloads
from frontend.api.base import LeadView
from frontend.api.calls import change_call, read_call, serialized_answer
from frontend.api.paging import CursorPage
from frontend.api.schema import OCTETS
from frontend.api.serializers.leads import imports as told
from frontend.api.serializers.leads.imports import UploadBeginSerializer, UploadPageSerializer, UploadSerializer
from frontend.leads import imports
from frontend.server import file_sender
from tasks.background import long_jobs
from tasks.setup import undoing_imports

led_import = partial(access.led_job, kinds=(uploads.KIND,))
PLACE = [
    OpenApiParameter(
        "Upload-Offset", int, OpenApiParameter.HEADER, required=True, description="Where the part begins, in bytes."
    ),
    OpenApiParameter(
        "Upload-Checksum",
        int,
        OpenApiParameter.HEADER,
        required=True,
        description="The CRC-32 of the file up to its end.",
    ),
]


class PartParser(BaseParser):
    """The bytes of a part, and one more if it is too long."""

    media_type = "application/octet-stream"

    def parse(self, stream: IO[bytes], *_about: Any) -> bytes:
        """They are read once, and nowhere kept."""
        return stream.read(uploads.PART + 1)


class UploadsView(LeadView):
    """The files that the token’s person has uploaded into a project and that no import needs."""

    @read_call("list_uploads", UploadPageSerializer)
    def get(self, project: Project) -> Any:
        """List the uploads, the oldest first."""
        rows = Upload.objects.filter(pk__in=[row.pk for row in imports.uploads_of(project, self.person())])
        return CursorPage(self.request, rows).answer()

    @change_call("begin_upload", UploadSerializer, body=UploadBeginSerializer, status=201)
    def post(self, project: Project, sent: dict[str, Any]) -> Upload:
        """Begin to upload a file, or go on where the same one was cut."""
        return uploads.begin(project, **sent, by=self.person(), now=clock.now())


class UploadView(LeadView):
    """One of these files. Parts are sent one after another, each of at most 1 MiB."""

    parser_classes = [PartParser]
    keyed = False

    @read_call("read_upload", UploadSerializer, finder=access.own_upload)
    def get(self, upload: Upload) -> Upload:
        """Read how much has arrived."""
        return upload

    @extend_schema(
        operation_id="send_part",
        parameters=PLACE,
        request={PartParser.media_type: OpenApiTypes.BINARY},
        responses=UploadSerializer,
    )
    def patch(self, request: Request, slug: str, upload: uuids.UUID) -> Answer:
        """Send the next part; one that has arrived before changes nothing."""
        found = access.own_upload(self.person(), slug, upload)
        data = request.data if isinstance(request.data, bytes) else b""
        received = uploads.receive(found, data, **imports.place_of(request.headers), now=clock.now())
        return serialized_answer(UploadSerializer, received)

    @change_call("remove_upload", None, finder=access.own_upload, status=204)
    def delete(self, upload: Upload) -> None:
        """Remove an upload, whole or not."""
        uploads.remove(upload, by=self.person(), now=clock.now())


class ImportsView(LeadView):
    """The imports of uploaded files into a project."""

    @read_call("list_imports", told.ImportPageSerializer)
    def get(self, project: Project) -> Any:
        """List the imports, the oldest first."""
        return CursorPage(self.request, project.jobs.filter(kind=uploads.KIND)).answer()

    @change_call("start_import", told.ImportSerializer, body=told.ImportAskSerializer, status=202)
    def post(self, project: Project, sent: dict[str, Any]) -> Any:
        """Import uploaded files, or only check them: a job does it, whose progress can be read."""
        user, now = self.person(), clock.now()
        form = {name: str(value) for name, value in sent.items() if value is not None}
        options = imports.options_of(form, lambda uuid: access.own_upload(user, project.slug, uuid))
        name, asked, short = options.file.name, options.as_json(), options.is_short
        return _progress(long_jobs.ask(project, uploads.KIND, subject=name, asked=asked, by=user, now=now, short=short))


class ImportView(LeadView):
    """One of these imports."""

    @read_call("read_import", told.ImportSerializer, finder=led_import)
    def get(self, job: Job) -> Any:
        """Read how far an import is, and what came of it."""
        return _progress(job)


class ImportCancelView(LeadView):
    """Stop an import that has not ended."""

    @change_call("cancel_import", told.ImportSerializer, finder=led_import)
    def post(self, job: Job) -> Any:
        """Cancel an import: none of it becomes visible."""
        long_jobs.cancel(job, by=self.person(), now=clock.now())
        return _progress(job)


class ImportUndoView(LeadView):
    """Take an import back, as long as nobody has worked on its items."""

    @change_call("undo_import", told.ImportSerializer, finder=led_import)
    def post(self, job: Job) -> Any:
        """Undo an import: its items are seen nowhere any more."""
        undoing_imports.undo(imports.undoable(job), by=self.person(), now=clock.now())
        job.refresh_from_db()
        return _progress(job)


class RefusedLinesView(LeadView):
    """The lines that an import refuses."""

    @read_call("list_refused_lines", told.LineRemarkPageSerializer, finder=led_import)
    def get(self, job: Job) -> Any:
        """List the refused lines with the reasons, in the order of the file."""
        return CursorPage(self.request, job.remarks.filter(refused=True), order=("line", "pk")).answer()


class RefusedFileView(LeadView):
    """The refused lines themselves, to be mended and uploaded again."""

    @extend_schema(operation_id="download_refused_lines", responses=OCTETS)
    def get(self, request: Request, slug: str, job: int) -> HttpResponseBase:
        """Download the refused lines."""
        found = led_import(self.person(), slug, job)
        path, name = imports.file_of_refused(found)
        right = downloads.right_to(self.person(), found)
        return file_sender.file_response(path, filename=name, content_type="application/octet-stream", right=right)


def _progress(job: Job) -> imports.ImportProgress:
    return imports.import_progress(job, page="1", now=clock.now())
