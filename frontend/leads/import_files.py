"""What a project says about the files that it takes: how they look, and sample files to begin with."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

from annotation import registry
from annotation.errors import NotFound
from annotation.exchange.options import PROMPT_FIELD, TITLES
from annotation.models import Project
from frontend import markdown

BESIDE = "beside.zip"
FOLDERS = ("pages", "images")


def readable(project: Project) -> dict[str, Any]:
    """What the page says about the files that a project takes: how they look, with examples, and whose exports."""
    protocol = registry.get(project.protocol)
    return {
        "samples": names(project),
        "format": markdown.document(protocol.file_format()).html,
        "reads_texts": protocol.reads_texts,
        "material": protocol.material,
        "tools": list(TITLES.items()) if protocol.exchange is not None else [],
        "prompt_field": PROMPT_FIELD,
    }


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


def _file(project: Project) -> Path | None:
    demo = registry.get(project.protocol).demo
    return demo.items if demo is not None else None


def _beside(file: Path) -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (file.parent / folder).glob("*") if path.is_file())
