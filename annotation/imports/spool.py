"""The spool file between the two passes of an import: one JSON line per checked item."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

from annotation import document_store
from annotation.parsing.incoming import IncomingAnnotation, IncomingDocument, IncomingItem


def line_of(item: IncomingItem, *, search: tuple[str, str] | None) -> bytes:
    """Store the item's documents and layouts as files and return its spool line; `search`: (title, abstract)."""
    body = {
        "kind": item.kind,
        "external_id": item.external_id,
        "split": item.split,
        "payload": item.payload,
        "documents": [_document(document) for document in item.documents],
        "annotations": [_annotation(found) for found in item.annotations],
    }
    if item.parent:
        body["parent"] = item.parent
    about = {"line": item.line, "content": _content_hash(body), "search": search}
    return orjson.dumps({"parent": None} | body | about) + b"\n"


def legacy_content_hash(entry: dict[str, Any]) -> str:
    """The content hash from before annotations carried their activity.

    Items imported back then have it, and importing their file again must still adopt them.
    """
    body = {
        key: value for key, value in entry.items() if key not in ("line", "content", "search") and value is not None
    }
    kept = [{key: value for key, value in found.items() if key != "activity"} for found in entry["annotations"]]
    return _content_hash(body | {"annotations": kept})


def _content_hash(body: dict[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()


def content_of(item: IncomingItem) -> bytes:
    """The bytes by which two items without documents count as the same."""
    return orjson.dumps([item.kind, item.external_id, item.split, item.payload, item.parent])


def _annotation(found: IncomingAnnotation) -> dict[str, Any]:
    return {
        "external_id": found.external_id,
        "activity": found.activity,
        "worker": found.worker,
        "responses": [tuple(response) for response in found.responses],  # orjson refuses named tuples
    }


def _document(document: IncomingDocument) -> dict[str, Any]:
    source = _ADDRESSES.address("document", document.source, lambda source: source)
    layout = _ADDRESSES.address("layout", document.layout, lambda layout: layout.to_bytes())
    if document.rendering is not None:
        document_store.keep_rendering(source, layout, document.rendering)
    return {
        "sha256": source,
        "length": len(document.source),
        "media_type": document.media_type,
        "layout": layout,
        "title": document.title,
        "url": document.url,
        "licence": document.licence,
    }


KEPT_BYTES = 16 * 1024 * 1024
"""Serialised bytes of the objects in the cache; a layout takes several times that in memory."""


class _AddressCache:
    """Addresses of recently stored objects by identity (FIFO), since many lines share one page.

    The objects are held too, so that no other object can get the id() of one.
    """

    def __init__(self) -> None:
        self._found: OrderedDict[tuple[str, int], tuple[Any, str, int]] = OrderedDict()
        self._bytes = 0

    def address(self, kind: str, thing: Any, pack: Callable[[Any], bytes]) -> str:
        """The content hash of a document or layout, serialised and stored once for all lines that share the object."""
        found = self._found.get((kind, id(thing)))
        if found is None:
            data = pack(thing)
            found = self._found[kind, id(thing)] = (thing, document_store.keep(kind, data), len(data))
            self._bytes += len(data)
            while self._bytes > KEPT_BYTES and len(self._found) > 1:
                self._bytes -= self._found.popitem(last=False)[1][2]
        return found[1]


_ADDRESSES = _AddressCache()


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The spooled items in order."""
    with path.open("rb") as file:
        for line in file:
            yield loads(line)


def loads(line: bytes) -> dict[str, Any]:
    """One spooled item."""
    return orjson.loads(line)
