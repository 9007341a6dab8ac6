"""Example files of a protocol, for leads who make their own, and what it says about their layout."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

from django.utils.safestring import SafeString

from annotation import registry
from annotation.errors import NotFound
from annotation.models import Project
from frontend import markdown

BESIDE = "beside.zip"
FOLDERS = ("pages", "images")


def names(project: Project) -> list[str]:
    """The names of the example files."""
    file = _file(project)
    if file is None:
        return []
    return [file.name, *([BESIDE] if _beside(file) else [])]


def read(project: Project, name: str) -> bytes:
    """An example file, or a zip with those that it names. NotFound."""
    file = _file(project)
    if file is None or name not in names(project):
        raise NotFound
    if name == file.name:
        return file.read_bytes()
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _beside(file):
            archive.write(path, path.relative_to(file.parent))
    return buffer.getvalue()


def file_format(project: Project) -> SafeString:
    """How a file to import looks, as HTML; "" if the protocol doesn't say."""
    return markdown.document(registry.get(project.protocol).file_format()).html


def _file(project: Project) -> Path | None:
    demo = registry.get(project.protocol).demo
    return demo.items if demo is not None else None


def _beside(file: Path) -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (file.parent / folder).glob("*") if path.is_file())
