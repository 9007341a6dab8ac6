"""Records as protocols and exporters get them, made from what a reader yields, without a database."""

from __future__ import annotations

from annotation.checking.played import item_in_memory
from annotation.parsing.incoming import IncomingItem
from annotation.values.records import ItemRecord


def item_of(incoming: object, root: ItemRecord | None = None) -> ItemRecord:
    """The item, its JSON as read back from a database; AssertionError for a line that the reader refused."""
    assert isinstance(incoming, IncomingItem), incoming
    return item_in_memory(incoming, root)
