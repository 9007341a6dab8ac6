"""Imports of uploaded files."""

from __future__ import annotations

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.imports import uploads
from annotation.models import Job, Project
from frontend import access, downloads
from frontend.api.base import LeadView
from frontend.api.paging import CursorPage
from frontend.api.schema import OCTETS, PAGED
from frontend.api.sent import checked_fields
from frontend.api.serializers.leads.imports import (
    ImportAskSerializer,
    ImportPageSerializer,
    ImportRowSerializer,
    ImportSerializer,
    LineRemarkPageSerializer,
    LineRemarkSerializer,
)
from frontend.leads import imports
from frontend.server import file_sender
from tasks.background import long_jobs
from tasks.setup import undoing_imports


class ImportsView(LeadView):
    """The imports of uploaded files into a project."""

    @extend_schema(operation_id="list_imports", parameters=PAGED, responses=ImportPageSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """List the imports, the oldest first."""
        page = CursorPage(request, access.led_project(self.person(), slug).jobs.filter(kind=uploads.KIND))
        return Answer(page.answer(ImportRowSerializer(page.rows, many=True).data))

    @extend_schema(operation_id="start_import", request=ImportAskSerializer, responses={202: ImportSerializer})
    def post(self, request: Request, slug: str) -> Answer:
        """Import uploaded files, or only check them: a job does it, whose progress can be read."""
        project = access.led_project(self.person(), slug)
        asked = checked_fields(ImportAskSerializer(data=request.data))
        return self.once(lambda: _told(self._start(project, asked.form()), 202))

    def _start(self, project: Project, form: dict[str, str]) -> Job:
        user = self.person()
        options = imports.options_of(form, lambda uuid: access.own_upload(user, project.slug, uuid))
        name, asked, short = options.file.name, options.as_json(), options.is_short
        return long_jobs.ask(project, uploads.KIND, subject=name, asked=asked, by=user, now=clock.now(), short=short)


class ImportJobView(LeadView):
    """An address of one import."""

    def import_job(self) -> Job:
        """The import that the address names."""
        return access.led_job(self.person(), self.kwargs["slug"], self.kwargs["job"], kinds=(uploads.KIND,))


class ImportView(ImportJobView):
    """One of these imports."""

    @extend_schema(operation_id="read_import", responses=ImportSerializer)
    def get(self, request: Request, slug: str, job: int) -> Answer:
        """Read how far an import is, and what came of it."""
        return _told(self.import_job())


class ImportCancelView(ImportJobView):
    """Stop an import that has not ended."""

    @extend_schema(operation_id="cancel_import", request=None, responses=ImportSerializer)
    def post(self, request: Request, slug: str, job: int) -> Answer:
        """Cancel an import: none of it becomes visible."""
        found = self.import_job()

        def cancel() -> Answer:
            long_jobs.cancel(found, by=self.person(), now=clock.now())
            return _told(found)

        return self.once(cancel)


class ImportUndoView(ImportJobView):
    """Take an import back, as long as nobody has worked on its items."""

    @extend_schema(operation_id="undo_import", request=None, responses=ImportSerializer)
    def post(self, request: Request, slug: str, job: int) -> Answer:
        """Undo an import: its items are seen nowhere any more."""
        found = self.import_job()

        def undo() -> Answer:
            undoing_imports.undo(imports.undoable(found), by=self.person(), now=clock.now())
            found.refresh_from_db()
            return _told(found)

        return self.once(undo)


class RefusedLinesView(ImportJobView):
    """The lines that an import refuses."""

    @extend_schema(operation_id="list_refused_lines", parameters=PAGED, responses=LineRemarkPageSerializer)
    def get(self, request: Request, slug: str, job: int) -> Answer:
        """List the refused lines with the reasons, in the order of the file."""
        page = CursorPage(request, self.import_job().remarks.filter(refused=True), order=("line", "pk"))
        return Answer(page.answer(LineRemarkSerializer(page.rows, many=True).data))


class RefusedFileView(ImportJobView):
    """The refused lines themselves, to be mended and uploaded again."""

    @extend_schema(operation_id="download_refused_lines", responses=OCTETS)
    def get(self, request: Request, slug: str, job: int) -> HttpResponseBase:
        """Download the refused lines."""
        found = self.import_job()
        path, name = imports.file_of_refused(found)
        right = downloads.right_to(self.person(), found)
        return file_sender.file_response(path, filename=name, content_type="application/octet-stream", right=right)


def _told(job: Job, status: int = 200) -> Answer:
    progress = imports.import_progress(job, page="1", now=clock.now())
    return Answer(ImportSerializer(progress).data, status=status)
