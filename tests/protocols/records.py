"""Records as protocols and exporters get them, made from what a reader yields, without a database."""

from __future__ import annotations

import orjson

from annotation.parsing.incoming import IncomingDocument, IncomingItem
from annotation.values.records import DocumentRecord, ItemRecord


def item_of(incoming: object, root: ItemRecord | None = None) -> ItemRecord:
    """The item, its JSON as read back from a database; AssertionError for a line that the reader refused."""
    assert isinstance(incoming, IncomingItem), incoming
    return ItemRecord(
        kind=incoming.kind,
        external_id=incoming.external_id,
        split=incoming.split,
        payload=orjson.loads(orjson.dumps(incoming.payload, option=orjson.OPT_SORT_KEYS)),
        documents=tuple(map(_record, incoming.documents)),
        root=root,
    )


def _record(document: IncomingDocument) -> DocumentRecord:
    layout = type(document.layout).from_bytes(document.layout.to_bytes())
    return DocumentRecord(
        sha256="",
        media_type=document.media_type,
        layout_sha256="",
        title=document.title,
        licence=document.licence,
        load_source=lambda sha256: document.source,
        load_layout=lambda sha256: layout,
    )
