"""Files beside the data of a release: what experts decided about annotations that disagree, the texts of documents with
full provenance, and a zip archive of the release that is the same byte for byte whenever it is made."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from annotation import pseudonyms, registry
from annotation.engine import loading
from annotation.models import Adjudication, ItemDocument, Project, Purpose, Response
from annotation.releases import card, hashed_files, members, recipes
from annotation.releases.members import FrozenMember
from annotation.releases.redacting import Redactor
from annotation.storage import blobs, files

DECISIONS, DOCUMENTS = "decisions.jsonl", "documents.jsonl.gz"


def decision_lines(
    project: Project,
    chosen: Iterable[FrozenMember],
    *,
    recipe: recipes.Recipe,
    release: str,
    redactor: Redactor,
    using: str,
) -> bytes:
    """A line for each decision that counts about an item of the release, in the order of its members; b"" without any.

    The answer that was decided for is repeated, since it may be a reference, which is in no other file. Who is named in
    an expert's reason is not named here.
    """
    places = {key: place for place, key in enumerate(_keys(chosen))}
    rows = Adjudication.objects.using(using).filter(item__project=project, taken_back_at__isnull=True)
    found = [
        (places[row.item.kind, row.item.external_id], row.activity, row.round, row)
        for row in rows.select_related("item", "annotation")
        if (row.item.kind, row.item.external_id) in places
    ]
    ordered = sorted(found, key=lambda entry: entry[:3])
    return b"".join(
        orjson.dumps(line | {"reason": redactor.redacted(line["reason"])}, option=orjson.OPT_SORT_KEYS) + b"\n"
        for entry in ordered
        for line in [_line(project, entry[-1], recipe=recipe, release=release, using=using)]
    )


def _keys(chosen: Iterable[FrozenMember]) -> Iterable[tuple[str, str]]:
    for member in chosen:
        yield member["kind"], member["external_id"]
        yield from _keys(member["children"])


def _line(project: Project, row: Adjudication, *, recipe: recipes.Recipe, release: str, using: str) -> dict[str, Any]:
    annotation, activity = row.annotation, registry.get(project.protocol).activity(row.activity)
    written = list(Response.objects.using(using).filter(annotation=annotation).order_by("pk"))
    name = recipes.id_in(recipe, release, str(annotation.uuid))
    return {
        "kind": row.item.kind,
        "item": row.item.external_id,
        "split": row.item.split,
        "activity": row.activity,
        "agreement": row.agreement,
        "annotation": {
            "id_hex": name,
            "id64": pseudonyms.id64(name),
            "external_id": annotation.external_id,
            "worker": pseudonyms.pseudonym(release, annotation.author_id),
            "reference": annotation.purpose == Purpose.REFERENCE,
        },
        "answer": [
            {"stage": said.stage, "turn": said.turn, "schema": said.schema, "payload": said.payload}
            for said in loading.effective_responses(activity, written)
        ],
        "decided_by": pseudonyms.pseudonym(release, row.by_id),
        "reason": row.reason,
    }


CHUNK = 500
"""Items, or documents, in one query."""
COLUMNS = ("document__sha256", "document__media_type", "layout")
CODE_POINTS, TOKENS = "code points", "tokens"
UNITS = {"text/plain": CODE_POINTS}
"""What spans of a document count, by its media type; those of pages count tokens of their layout."""


def write_documents(
    project: Project, chosen: list[members.FrozenMember], folder: Path, *, recipe: recipes.Recipe, using: str
) -> dict[str, Any]:
    """Write a line for each document once, in the order of their hashes; returns the entry in the manifest.

    `offsets_count` says what spans and offsets in payloads count in its `text`, from 0 and half-open: code points, or
    of a page the `tokens`, each with its text, its bytes [start, end) of the page and whether it is a tag. Images are
    not among them.
    """
    frame, records = hashed_files.FRAMES["lines"], 0
    with hashed_files.DataFile(folder / DOCUMENTS, frame) as file:
        for line in _lines(_documents(project, chosen, using=using), using=using):
            file.add(orjson.dumps(line))
            records += 1
    return {"name": DOCUMENTS, "records": records, **hashed_files.sizes(file, recipe)}


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


EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive: the first that the format knows."""
BLOCK = 1024 * 1024


def archive_name(manifest: dict[str, Any]) -> str:
    """Such as harbours-3.zip."""
    return f"{manifest['project']}-{manifest['version']}.zip"


LARGEST_ARCHIVED = 2 * 1024**3
"""Bytes of data up to which a release in another format than that of the hub has an archive too."""


def is_archived(manifest: dict[str, Any], *, hub: bool) -> bool:
    """Whether the release has an archive; from the earlier writers only one for the hub has."""
    small = sum(entry["bytes"] for entry in manifest["files"]) <= LARGEST_ARCHIVED
    return hub or (small and recipes.writer_of(manifest["recipe"]) >= recipes.ARCHIVES)


def archived_files(manifest: dict[str, Any]) -> list[str]:
    """The names of the files in it: the card and the data; from the third writer on all that have a hash by then."""
    data = [entry["name"] for entry in manifest["files"]]
    if recipes.writer_of(manifest["recipe"]) < recipes.ARCHIVES:
        return [card.NAME, *data]
    beside = [entry["name"] for entry in manifest["beside"] if not entry["name"].endswith(".zip")]
    beside += [entry["name"] for entry in manifest.get("rounds", ())]
    return [*beside, *([manifest["decisions"]["name"]] if "decisions" in manifest else []), *data]


def write_archive(folder: Path, name: str, names: Iterable[str]) -> dict[str, Any]:
    """Pack these files of the folder, uncompressed (they are already); returns the entry in the manifest."""
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for each in names:
            about = zipfile.ZipInfo(each, EARLIEST)
            about.external_attr = 0o644 << 16
            about.file_size = (folder / each).stat().st_size
            with (folder / each).open("rb") as source, archive.open(about, "w") as target:
                shutil.copyfileobj(source, target, BLOCK)
    files.sync(path)
    return {"name": name, **hashed_files.size_and_hash(path)}
