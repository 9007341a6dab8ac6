"""A hash of a project's rows (everything except database keys and times), and what a release has of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import orjson

from annotation import releases
from annotation.models import Annotation, Item, ItemDocument, Project, Release, Response
from tasks.engine import queues

LINE = (1 << 32) - 1
"""The part of an item's position that is its line; the higher bits are the key of the import's job."""


def shown(project: Project) -> int:
    """How many items people can see."""
    return Item.objects.filter(queues.visible(), project=project).count()


def row_hash(project: Project) -> str:
    """Over items, their documents, annotations and responses, in a canonical order."""
    digest = hashlib.sha256()
    for row in sorted(orjson.dumps(row, option=orjson.OPT_SORT_KEYS) for row in _rows(project)):
        digest.update(row + b"\n")
    return digest.hexdigest()


def _rows(project: Project) -> Iterator[tuple[Any, ...]]:
    of_item = ("item__kind", "item__external_id")
    items = Item.objects.filter(project=project).values_list(
        "kind", "external_id", "split", "payload", "content_sha256", "position", "root__external_id", "job__state"
    )
    for *columns, position, root, state in items:
        yield ("item", *columns, position & LINE, root, state)
    columns = ("position", "title", "url", "licence", "layout", "document__sha256", "document__length")
    for row in ItemDocument.objects.filter(item__project=project).values_list(*of_item, *columns):
        yield ("document", *row)
    columns = ("activity", "round", "purpose", "external_id", "position", "excluded_at", "author__imported_as")
    for *row, author in Annotation.objects.filter(item__project=project).values_list(*of_item, *columns):
        yield ("annotation", *row, author and author.split("/", 1)[1])
    of_annotation = ("annotation__item__external_id", "annotation__external_id", "annotation__position")
    columns = ("stage", "turn", "revision", "schema", "payload")
    for row in Response.objects.filter(annotation__item__project=project).values_list(*of_annotation, *columns):
        yield ("response", *row)


def completed() -> set[str]:
    """The annotations that are finished now."""
    return set(map(str, Annotation.objects.filter(completed_at__isnull=False).values_list("uuid", flat=True)))


def taken(release: Release) -> set[str]:
    """The annotations in a release."""
    lines = (releases.folder_of(release) / "members.jsonl").read_bytes().splitlines()
    return {entry["uuid"] for line in lines for entry in json.loads(line)["annotations"]}
