"""CSV files, and files of releases: who may go on with a download that has begun is asked again while it runs.

A spreadsheet opens a table without running anything (`annotation.parsing.csv_cells`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import close_old_connections
from django.http import HttpResponse

from annotation import releases
from annotation.errors import NotFound
from annotation.models import Job, Project, Release, User
from annotation.parsing import csv_cells
from annotation.releases import hashed_files
from frontend import access
from frontend.server import file_sender

MARK = csv_cells.MARK.decode()
KIND = f"{csv_cells.MEDIA_TYPE}; charset=utf-8"


def table_response(rows: Iterable[Sequence[Any]], *, filename: str, right: str = "") -> HttpResponse:
    """A file to save with these rows, of which the first has the names of the columns.

    `right`, as made by `right_to`, is asked about again while the file is sent; tables that can be long need one.
    """
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    if right:
        headers[file_sender.RIGHT] = right
    return HttpResponse(table_text(rows), content_type=KIND, headers=headers)


def table_text(rows: Iterable[Sequence[Any]]) -> str:
    """The rows as CSV with a byte order mark; texts that look like formulas get an apostrophe."""
    return MARK + csv_cells.lines(rows)


JSON = "application/json"
TYPES = {
    ".csv": KIND,
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


SOURCE_MODELS = {each._meta.model_name: each for each in (Project, Release, Job)}
"""What a right can be to, by the name of the model."""


def right_to(user: User, source: Project | Release | Job) -> str:
    """What is asked about while this person downloads a table of a project, or a file of a release or of an import."""
    return f"{user.pk}/{source._meta.model_name}/{source.pk}"


def may_go_on(right: str) -> bool:
    """Whether they still lead the project, can still sign in, and the release is not retracted."""
    user_key, kind, key = right.split("/")
    user = User.objects.filter(pk=user_key, is_active=True).first()
    source = SOURCE_MODELS[kind].objects.filter(pk=key).first()
    if user is None or source is None:
        return False
    try:
        if isinstance(source, Release):
            access.led_release(user, source.project.slug, source.version)
        else:
            access.led_project(user, source.slug if isinstance(source, Project) else source.project.slug)
    except NotFound:
        return False
    return True


def asked_outside_requests(right: str) -> bool:
    """The same in a thread that answers no requests: what a request's end does for its connection is done before."""
    close_old_connections()
    return may_go_on(right)
