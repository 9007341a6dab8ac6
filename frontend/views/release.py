"""Downloads of releases."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from annotation import releases
from annotation.errors import NotFound
from frontend import access
from frontend.requests import AuthedRequest
from frontend.server import file_sender


@login_required
@require_GET
def file(request: AuthedRequest, slug: str, version: int, name: str) -> HttpResponse:
    """One file of a ready release, by its name in the manifest."""
    release = access.led_release(request.user, slug, version)
    manifest = releases.manifest_of(release)
    names = {"manifest.json", "members.jsonl"} | {entry["name"] for entry in manifest["files"]}
    if "decisions" in manifest:
        names.add(manifest["decisions"]["name"])
    if name not in names:
        raise NotFound
    path = releases.folder_of(release) / name
    kind = "application/gzip" if name.endswith(".gz") else "application/json"
    return file_sender.file_response(path, filename=name, content_type=kind)
