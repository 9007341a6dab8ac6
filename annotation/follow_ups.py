"""Items that finished work makes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from annotation import protocol as registry
from annotation.imports import spool
from annotation.models import Annotation, Item
from annotation.parsing.incoming import IncomingItem


def make_items(annotation: Annotation, incoming: Iterable[IncomingItem]) -> list[Item]:
    """Items that finished work has made: they stand under the same root, after what was imported with it."""
    item = annotation.item
    alike = registry.get(item.project.protocol).alike_of
    return [
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
        )
        for found in incoming
    ]
