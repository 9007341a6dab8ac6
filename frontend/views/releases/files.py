"""Downloads of releases."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation import releases
from annotation.errors import NotFound
from annotation.releases import sums
from frontend import access, downloads
from frontend.requests import AuthedRequest
from frontend.server import file_sender

TYPES = {
    ".gz": "application/gzip",
    ".md": "text/markdown; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
    ".zip": "application/zip",
    sums.NAME: "text/plain; charset=utf-8",
}


@login_required
@require_GET
def file(request: AuthedRequest, slug: str, version: int, name: str) -> HttpResponse:
    """One file of a ready release, by its name in the manifest."""
    release = access.led_release(request.user, slug, version)
    if name not in {entry["name"] for entry in releases.files_in(releases.manifest_of(release))}:
        raise NotFound
    path = releases.folder_of(release) / name
    kind = TYPES.get(path.suffix or name, "application/json")
    right = downloads.right_to(request.user, release)
    return file_sender.file_response(path, filename=name, content_type=kind, right=right)
