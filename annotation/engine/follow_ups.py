"""Create the items that finished work leads to: one annotation, or all annotations of an item together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

from annotation import registry, search
from annotation.engine import loading
from annotation.imports import spool
from annotation.models import Annotation, Item
from annotation.parsing.incoming import IncomingItem
from annotation.protocol import Protocol


def make_items_on_settled(item: Item, finished: Callable[[], Sequence[Annotation]]) -> list[Item]:
    """Create the items that all annotations of a settled item lead to together; idempotent. Returns those it made.

    `finished` loads the annotations in order of completion; the items are recorded as made from the last one.
    """
    protocol = registry.get(item.project.protocol)
    if type(protocol).on_settled is Protocol.on_settled:
        return []
    annotations = finished()
    found = protocol.on_settled(loading.item_record(item), loading.finished_records(annotations, item))
    ids = [each.external_id for each in found]
    there = Item.with_set_aside.filter(project=item.project_id, external_id__in=ids).values_list("kind", "external_id")
    made = set(there)
    last = annotations[-1]
    last.item = item
    return make_items(last, [each for each in found if (each.kind, each.external_id) not in made])


def make_items(annotation: Annotation, incoming: Iterable[IncomingItem]) -> list[Item]:
    """Insert items made from an annotation, under the same root and with the same position as its item.

    The caller holds the lock of the item's task, or the item is set aside: then so is what is made from it.
    """
    item = annotation.item
    alike = registry.get(item.project.protocol).alike
    made = [
        Item.objects.create(
            project_id=item.project_id,
            kind=found.kind,
            external_id=found.external_id,
            split=found.split,
            payload=found.payload,
            content_sha256=hashlib.sha256(spool.content_of(found)).hexdigest(),
            alike=alike(found.kind, found.payload),
            made_from=annotation,
            root_id=item.root_id or item.pk,
            position=item.position,
            set_aside_at=item.set_aside_at,
        )
        for found in incoming
    ]
    search.index_captions(made, protocol=item.project.protocol)
    return made
