"""A lead uploads files and imports them; what was refused is listed, and can be downloaded and mended."""

from __future__ import annotations

import uuid as uuids

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation import clock
from annotation.imports import uploads
from annotation.imports.job import dismiss_failure, take_up_failure
from frontend import access, downloads
from frontend.leads import import_files, imports
from frontend.requests import AuthedRequest, action_view, file_view, form_view, page_view
from frontend.server import file_sender
from tasks.background import long_jobs
from tasks.setup import undoing_imports


@page_view
def index(request: AuthedRequest, slug: str) -> HttpResponse:
    """The form, the person's unfinished uploads, and the imports so far."""
    project = access.led_project(request.user, slug)
    page = imports.of_project(project, page=request.GET.get("page", "1"))
    context = {
        "project": project,
        "uploads": imports.uploads_of(project, request.user),
        "page": page,
        "imports": imports.people_of(page),
        "longest_part": uploads.PART,
    }
    return render(request, "imports/index.html", context | import_files.readable(project))


@action_view
def begin(request: AuthedRequest, slug: str) -> JsonResponse:
    """The person's upload of a file, new or where it was cut."""
    project = access.led_project(request.user, slug)
    upload = uploads.begin(project, **imports.announced(request.POST), by=request.user, now=clock.now())
    return JsonResponse(imports.state_of(upload))


@form_view
def upload(request: AuthedRequest, slug: str, upload: uuids.UUID) -> JsonResponse:
    """How much has arrived, or one more part, which is the body of the request."""
    found = access.own_upload(request.user, slug, upload)
    if request.method == "POST":
        # Unlike `request.body`, this leaves nothing in the request, which lives until the garbage is collected.
        data = request.read(uploads.PART + 1)
        found = uploads.receive(found, data, **imports.place_of(request.headers), now=clock.now())
    return JsonResponse(imports.state_of(found))


@action_view
def remove(request: AuthedRequest, slug: str, upload: uuids.UUID) -> HttpResponse:
    """Remove an uploaded file, whole or not."""
    found = access.own_upload(request.user, slug, upload)
    uploads.remove(found, by=request.user, now=clock.now())
    messages.success(request, _("%(name)s was removed.") % {"name": found.name})
    return redirect("imports", slug=slug)


@action_view
def start(request: AuthedRequest, slug: str) -> HttpResponse:
    """Import uploaded files, or only check them."""
    project = access.led_project(request.user, slug)
    options = imports.options_of(request.POST, lambda uuid: access.own_upload(request.user, slug, uuid))
    name, asked, short = options.file.name, options.as_json(), options.is_short
    job = long_jobs.ask(project, uploads.KIND, subject=name, asked=asked, by=request.user, now=clock.now(), short=short)
    return redirect("import", slug=slug, job=job.pk)


@page_view
def show(request: AuthedRequest, slug: str, job: int) -> HttpResponse:
    """How far an import is, and the lines that it refuses."""
    found = access.led_job(request.user, slug, job, kinds=(uploads.KIND,))
    shown = imports.import_progress(found, page=request.GET.get("page", "1"), now=clock.now())
    return render(request, "imports/show.html", {"project": found.project, "import": shown})


@action_view
def cancel(request: AuthedRequest, slug: str, job: int) -> HttpResponse:
    """Stop an import; none of it becomes visible."""
    found = access.led_job(request.user, slug, job, kinds=(uploads.KIND,))
    long_jobs.cancel(found, by=request.user, now=clock.now())
    return redirect("import", slug=slug, job=job)


@action_view
def undo(request: AuthedRequest, slug: str, job: int) -> HttpResponse:
    """Take the items of an import out of the project again."""
    found = access.led_job(request.user, slug, job, kinds=(uploads.KIND,))
    undoing_imports.undo(imports.undoable(found), by=request.user, now=clock.now())
    messages.success(request, _("%(name)s is undone: nothing of it is in the project.") % {"name": found.subject})
    return redirect("import", slug=slug, job=job)


@action_view
def dismiss(request: AuthedRequest, slug: str, job: int) -> HttpResponse:
    """Say that a failed import needs nobody any more."""
    found = access.led_job(request.user, slug, job, kinds=(uploads.KIND,))
    dismiss_failure(found, by=request.user, now=clock.now())
    said, url = _("Dismissed: %(name)s. Its page stays under Import."), reverse("take_up_import", args=[slug, job])
    messages.success(request, said % {"name": found.subject}, extra_tags=f"undo {url}")
    return redirect("project", slug=slug)


@action_view
def take_up(request: AuthedRequest, slug: str, job: int) -> HttpResponse:
    """Take that back."""
    found = access.led_job(request.user, slug, job, kinds=(uploads.KIND,))
    take_up_failure(found, by=request.user, now=clock.now())
    return redirect("project", slug=slug)


@page_view
def refused_csv(request: AuthedRequest, slug: str, job: int) -> HttpResponse:
    """The table of refused lines."""
    found = access.led_job(request.user, slug, job, kinds=(uploads.KIND,))
    rows, right = imports.refused_table(found), downloads.right_to(request.user, found)
    return downloads.table_response(rows, filename=f"{slug}-{job}-refused.csv", right=right)


@file_view
def refused_lines(request: AuthedRequest, slug: str, job: int) -> HttpResponse:
    """The refused lines themselves, to be mended and uploaded again."""
    found = access.led_job(request.user, slug, job, kinds=(uploads.KIND,))
    path, name = imports.file_of_refused(found)
    right = downloads.right_to(request.user, found)
    return file_sender.file_response(path, filename=name, content_type="application/octet-stream", right=right)


@file_view
def sample(request: AuthedRequest, slug: str, example: str) -> HttpResponse:
    """An example of a file to import, or the pages or images that it names."""
    data = import_files.read(access.led_project(request.user, slug), example)
    answer = HttpResponse(data, content_type="application/octet-stream")
    answer["Content-Disposition"] = f'attachment; filename="{example}"'
    return answer
