"""What is in a data folder: its objects, and what nothing refers to."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from annotation.models import Document, ItemDocument
from annotation.storage import store
from annotation.storage.packs import Index


def indexes() -> list[Path]:
    """The indexes of the data folder."""
    return store.objects().paths(store.PENDING, store.SETTLED)


def stored() -> set[str]:
    """The sha-256 of every object that an index names."""
    return {entry.key.hex() for path in indexes() for entry in Index(path)}


def referenced() -> set[str]:
    """The sha-256 of every document and layout of a row."""
    documents = set(Document.objects.values_list("sha256", flat=True))
    return documents | set(ItemDocument.objects.values_list("layout", flat=True))


def leftovers() -> list[str]:
    """Objects to which no row refers, packs without an index, and the spools and part files of imports."""
    data, named = Path(settings.GOLDFINCH_DATA), {name for path in indexes() for name in Index(path).packs}
    unnamed = [path.name for path in store.objects().paths(".pack") if path.stem not in named]
    parts = [path.name for path in (data / "imports").glob("*") if path.suffix in (".jsonl", ".parts")]
    return sorted(stored() - referenced()) + unnamed + parts


def unreadable() -> list[str]:
    """Objects of rows that can't be read."""
    found = store.Store(store.objects().folder)
    return [sha256 for sha256 in sorted(referenced()) if not _is_there(found, sha256)]


def _is_there(found: store.Store, sha256: str) -> bool:
    try:
        found.read(sha256)
    except (store.Missing, OSError):
        return False
    return True
