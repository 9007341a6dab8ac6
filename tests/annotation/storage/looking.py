"""What is stored: documents and layouts, and what nothing refers to."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from annotation.models import Blob, Document, ItemDocument
from annotation.storage import blobs


def stored() -> set[str]:
    """The sha-256 of every document and layout in the database."""
    return set(Blob.objects.values_list("sha256", flat=True))


def referenced() -> set[str]:
    """The sha-256 of every document and layout of a row."""
    documents = set(Document.objects.values_list("sha256", flat=True))
    return documents | set(ItemDocument.objects.values_list("layout", flat=True))


def leftovers() -> list[str]:
    """Documents and layouts to which no row refers, and the files of imports."""
    found = (Path(settings.GOLDFINCH_DATA) / "imports").glob("*")
    return sorted(stored() - referenced()) + [path.name for path in found if path.suffix != ".lock"]


def unreadable() -> list[str]:
    """Documents and layouts of rows that can't be read."""
    return [sha256 for sha256 in sorted(referenced()) if not _is_there(sha256)]


def _is_there(sha256: str) -> bool:
    try:
        return blobs.pack(blobs.read(sha256)).sha256 == sha256
    except blobs.Missing:
        return False
