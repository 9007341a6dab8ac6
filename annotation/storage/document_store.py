"""Documents and layouts by their sha-256, and renderings of pages, which are cached and may be deleted."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from annotation.documents.layout import PAGES, SIMPLIFIED, Layout
from annotation.storage import files, store

if TYPE_CHECKING:
    from annotation.html import Rendering

CACHED_FROM = 16 * 1024
"""Bytes of a page from which its rendering is cached in a file: a smaller one is rendered in a few milliseconds."""


def source(sha256: str) -> bytes:
    """The bytes of a document."""
    return store.objects().read(sha256)


@lru_cache(maxsize=32)
def layout(sha256: str) -> Layout:
    """The layout with this hash."""
    return Layout.from_bytes(store.objects().read(sha256))


@lru_cache(maxsize=64)
def rendering(document: str, layout_sha256: str, media_type: str, root: int | None = None) -> Rendering:
    """The display form of a page or of one of its boxes. ValueError if the document is not a page."""
    if media_type not in PAGES:
        raise ValueError(f"A document of type {media_type} is not a page, so it has no rendering.")
    page = source(document)
    if root is not None or len(page) < CACHED_FROM:
        return _render(page, layout_sha256, media_type, root)
    path = _cached_at(document, layout_sha256)
    found = _cached(path)
    if found is None:
        found = _render(page, layout_sha256, media_type)
        with suppress(OSError):  # the page can be shown even if the disk is full
            files.write_whole(path, found.to_bytes(), durable=False)
    return found


def _render(page: bytes, layout_sha256: str, media_type: str, root: int | None = None) -> Rendering:
    from annotation import html

    found = layout(layout_sha256)
    if media_type == SIMPLIFIED:
        page, found = html.synthesise([token.text for token in found.tokens], found.candidates)
    return html.render(page, found, root=root)


def _cached(path: Path) -> Rendering | None:
    """The rendering in a file; None if there is none, or if a power cut has left only a part of it."""
    from annotation import html

    try:
        return html.Rendering.from_bytes(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def _cached_at(document: str, layout_sha256: str) -> Path:
    from annotation.html import RENDERER

    name = hashlib.sha256(f"{document}/{layout_sha256}/{RENDERER}".encode()).hexdigest()
    return Path(settings.GOLDFINCH_DATA) / "renderings" / name[:2] / name
