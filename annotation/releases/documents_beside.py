"""The texts of the documents of a release, in one file beside its data with full provenance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from annotation.models import ItemDocument, Project
from annotation.releases import hashed_files, members, recipes
from annotation.storage import blobs

NAME = "documents.jsonl.gz"
CHUNK = 500
"""Items, or documents, in one query."""
COLUMNS = ("document__sha256", "document__media_type", "layout")
CODE_POINTS, TOKENS = "code points", "tokens"
UNITS = {"text/plain": CODE_POINTS}
"""What spans of a document count, by its media type; those of pages count tokens of their layout."""


def write(
    project: Project, chosen: list[members.FrozenMember], folder: Path, *, recipe: recipes.Recipe, using: str
) -> hashed_files.ReleaseFile:
    """Write a line for each document once, in the order of their hashes; returns the entry in the manifest.

    `offsets_count` says what spans and offsets in payloads count in its `text`, from 0 and half-open: code points, or
    of a page the `tokens`, each with its text, its bytes [start, end) of the page and whether it is a tag. Images are
    not among them.
    """
    frame, records = hashed_files.FRAMES["lines"], 0
    with hashed_files.DataFile(folder / NAME, frame) as file:
        for line in _lines(_documents(project, chosen, using=using), using=using):
            file.add(orjson.dumps(line))
            records += 1
    return {"name": NAME, "records": records, **hashed_files.sizes(file, recipe)}


class ReleasedDocument(NamedTuple):
    """A document and how it is laid out for its items ("": not at all)."""

    sha256: str
    media_type: str
    layout_sha256: str


def _documents(project: Project, chosen: list[members.FrozenMember], *, using: str) -> list[ReleasedDocument]:
    names = sorted({(member["kind"], member["external_id"]) for member in members.each(chosen)})
    found: set[ReleasedDocument] = set()
    for start in range(0, len(names), CHUNK):
        part = set(names[start : start + CHUNK])
        rows = ItemDocument.objects.using(using).exclude(document__media_type__startswith="image/")
        rows = rows.filter(item__project=project, item__external_id__any_of={name for _kind, name in part})
        for kind, name, *about in rows.values_list("item__kind", "item__external_id", *COLUMNS):
            if (kind, name) in part:
                found.add(ReleasedDocument(*about))
    return sorted(found)


def _lines(rows: list[ReleasedDocument], *, using: str) -> Iterator[dict[str, Any]]:
    texts = blobs.Series((row.sha256 for row in rows), using=using)
    layouts = blobs.Series((row.layout_sha256 for row in rows if row.layout_sha256), using=using)
    for row in rows:
        unit = UNITS.get(row.media_type, TOKENS)
        line: dict[str, Any] = {"sha256": row.sha256, "media_type": row.media_type, "offsets_count": unit}
        line["text"] = texts.read(row.sha256).decode("utf-8")
        if unit == TOKENS and row.layout_sha256:
            line["tokens"] = [list(token) for token in layouts.layout(row.layout_sha256).tokens]
        yield line
