"""The set-up of a project: its file is read, checked against the project, and changed."""

from __future__ import annotations

from typing import IO, Any

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from frontend import access
from frontend.api import etags
from frontend.api.base import LeadView
from frontend.api.sent import checked_query
from frontend.api.serializers.leads.setup import SetupChangesSerializer, SetupQuerySerializer
from frontend.leads.setup import from_file

YAML = "application/yaml"
FILE = {(200, YAML): OpenApiTypes.OBJECT}
SENT = {YAML: OpenApiTypes.OBJECT}


class YamlParser(BaseParser):
    """The bytes of a file, as they are."""

    media_type = YAML

    def parse(self, stream: IO[bytes], *_about: Any) -> bytes:
        """They are read as YAML by `annotation.setup.files`."""
        return stream.read()


class SetupView(LeadView):
    """The set-up of a project as a YAML file: texts, numbers and choices, but no items and no people.

    It is the file of the page *Settings*, from which another project can be made (there, or with `create_project`). If
    the project has a course, its right answers are in it: for leads only.
    """

    parser_classes = [YamlParser]
    locked = True

    @extend_schema(operation_id="read_setup", responses=FILE)
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Read the set-up file."""
        text = from_file.text_of(access.led_project(self.person(), slug))
        return HttpResponse(text, content_type=YAML, headers={"ETag": etags.etag_of(text)})

    @extend_schema(
        operation_id="change_setup", parameters=[SetupQuerySerializer], request=SENT, responses=SetupChangesSerializer
    )
    def patch(self, request: Request, slug: str) -> Answer:
        """Change what differs from a file; what the file leaves out stays as it is."""
        project, kind = access.led_project(self.person(), slug), _kind(request)
        setup = from_file.read(project, _body(request))

        def seen() -> None:
            etags.check_match(request, from_file.text_of(project))

        def change() -> Answer:
            now = clock.now()
            return _told(from_file.apply(project, setup, kind=kind, seen=seen, by=self.person(), now=now))

        return self.once(change)


class SetupCheckView(LeadView):
    """What a set-up file would change."""

    parser_classes = [YamlParser]
    keyed = False

    @extend_schema(
        operation_id="check_setup", parameters=[SetupQuerySerializer], request=SENT, responses=SetupChangesSerializer
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Check a file against the project; nothing is changed."""
        project, kind = access.led_project(self.person(), slug), _kind(request)
        setup = from_file.read(project, _body(request))
        return _told(from_file.check(project, setup, kind=kind, by=self.person(), now=clock.now()))


def _body(request: Request) -> bytes:
    """The file; 415 for another type. The body is read before, since a call that is repeated is known by it."""
    return request.data if request.body else b""


def _kind(request: Request) -> str:
    return str(checked_query(request, SetupQuerySerializer)["guidelines"])


def _told(changed: list[from_file.ChangedField]) -> Answer:
    return Answer(SetupChangesSerializer({"changed": changed}).data)
