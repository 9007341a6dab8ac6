"""Files that a script uploads in parts."""

from __future__ import annotations

import uuid as uuids
from typing import IO, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.imports import uploads
from annotation.models import Upload
from frontend import access
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import PAGED
from frontend.api.sent import checked_body
from frontend.api.serializers.leads.imports import UploadBeginSerializer, UploadPageSerializer, UploadSerializer
from frontend.leads import imports

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

    @extend_schema(operation_id="list_uploads", parameters=PAGED, responses=UploadPageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the uploads, the oldest first."""
        project = access.led_project(self.person(), slug)
        rows = Upload.objects.filter(pk__in=[row.pk for row in imports.uploads_of(project, self.person())])
        page = CursorPage(request, rows)
        return Answer(page.answer(UploadSerializer(page.rows, many=True).data))

    @extend_schema(operation_id="begin_upload", request=UploadBeginSerializer, responses={201: UploadSerializer})
    def post(self, request: Request, slug: str) -> Answer:
        """Begin to upload a file, or go on where the same one was cut."""
        project, sent = access.led_project(self.person(), slug), checked_body(request, UploadBeginSerializer)
        return self.once(lambda: _told(uploads.begin(project, **sent, by=self.person(), now=clock.now()), 201))


class UploadView(LeadView):
    """One of these files. Parts are sent one after another, each of at most 1 MiB."""

    parser_classes = [PartParser]
    keyed = False

    @extend_schema(operation_id="read_upload", responses=UploadSerializer)
    def get(self, request: Request, slug: str, upload: uuids.UUID) -> Answer:
        """Read how much has arrived."""
        return _told(access.own_upload(self.person(), slug, upload))

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
        return _told(uploads.receive(found, data, **imports.place_of(request.headers), now=clock.now()))

    @extend_schema(operation_id="remove_upload", request=None, responses={204: None})
    def delete(self, request: Request, slug: str, upload: uuids.UUID) -> Answer:
        """Remove an upload, whole or not."""
        uploads.remove(access.own_upload(self.person(), slug, upload), by=self.person(), now=clock.now())
        return Answer(status=204)


def _told(upload: Upload, status: int = 200) -> Answer:
    return Answer(UploadSerializer(upload).data, status=status)
