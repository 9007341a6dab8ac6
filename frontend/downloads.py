"""Files of releases, and who may go on with a download that has begun: asked again and again while it runs."""

from __future__ import annotations

from django.db import close_old_connections
from django.http import HttpResponse

from annotation import releases
from annotation.errors import NotFound
from annotation.models import Job, Release, User
from annotation.releases import hashed_files
from frontend import access, csv_files
from frontend.server import file_sender

JSON = "application/json"
TYPES = {
    ".csv": csv_files.KIND,
    ".gz": "application/gzip",
    ".jsonl": "application/jsonlines",
    ".md": "text/markdown; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
    ".zip": "application/zip",
    hashed_files.NAME: "text/plain; charset=utf-8",
}
"""By the suffix of a file of a release, or its name; JSON otherwise."""


def file_of_release(release: Release, name: str, *, user: User) -> HttpResponse:
    """One file of a ready release, by its name in the manifest. NotFound."""
    if name not in {entry["name"] for entry in releases.files_in(releases.manifest_of(release))}:
        raise NotFound
    path = releases.folder_of(release) / name
    kind = TYPES.get(path.suffix or name, JSON)
    return file_sender.file_response(path, filename=path.name, content_type=kind, right=right_to(user, release))


def right_to(user: User, source: Release | Job) -> str:
    """What is asked about while this person downloads a file of a release or of an import."""
    return f"{user.pk}/{source._meta.model_name}/{source.pk}"


def may_go_on(right: str) -> bool:
    """Whether they still lead the project, can still sign in, and the release is not retracted."""
    user_key, kind, key = right.split("/")
    user = User.objects.filter(pk=user_key, is_active=True).first()
    rows = Release.objects if kind == Release._meta.model_name else Job.objects
    source = rows.select_related("project").filter(pk=key).first()
    if user is None or source is None:
        return False
    try:
        if isinstance(source, Release):
            access.led_release(user, source.project.slug, source.version)
        else:
            access.led_project(user, source.project.slug)
    except NotFound:
        return False
    return True


def asked_outside_requests(right: str) -> bool:
    """The same in a thread that answers no requests: what a request's end does for its connection is done before."""
    close_old_connections()
    return may_go_on(right)
