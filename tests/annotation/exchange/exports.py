"""Exports of other tools as they write them, and what a project has of them once they are in."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from annotation import registry
from annotation.exchange import reading
from annotation.imports import run
from annotation.models import Annotation, Item, Project, Purpose, Response
from annotation.parsing.text_zips import TextZip
from tests.builders import load
from tests.people import NOON

TEXT = "The mill at Lund was built in 1871. 🏭 Anna Holt ran it until 1902."
ASKED = "Who ran the mill?"
HOLT = (38, 47)
"""The place of Anna Holt in characters; in UTF-16 units it begins at 39."""


def mark(first: int, last: int, words: str | None = None, label: str = "Answer", **more: Any) -> dict[str, Any]:
    """A result of Label Studio that marks words."""
    value: dict[str, Any] = {"start": first, "end": last, "labels": [label]}
    if words is not None:
        value["text"] = words
    return {"id": "r1", "from_name": "answer", "to_name": "text", "type": "labels", "value": value | more}


def chosen(*words: str) -> dict[str, Any]:
    """A result that chooses."""
    return {"from_name": "choice", "to_name": "text", "type": "choices", "value": {"choices": list(words)}}


def task(*annotations: Any, number: int = 1, **data: Any) -> dict[str, Any]:
    """A task of a JSON export; each annotation is a list of results, or a whole annotation."""
    whole = [
        one if isinstance(one, dict) else {"id": 100 + place, "completed_by": 7, "was_cancelled": False, "result": one}
        for place, one in enumerate(annotations)
    ]
    about = {"text": TEXT, "question": ASKED}
    return {"id": number, "data": about | data, "annotations": whole, "predictions": [], "meta": {}, "project": 3}


def row(number: int, *marks: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A record of a JSON-MIN export: one annotation of a task."""
    said = {"answer": [each["value"] for each in marks]} if marks else {}
    about = {"annotator": 7, "annotation_id": number, "created_at": "2026-01-01T00:00:00Z", "lead_time": 8.4}
    return {"text": TEXT, "question": ASKED, "id": 1} | said | about | more


def take_in(into: Project, folder: Path, data: Any, *, name: str = "export.json", **options: Any) -> run.ImportReport:
    """Import an export (JSON value or bytes), read as a lead's options say, its tool recognised."""
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return take_in_file(into, path, **options)


def take_in_file(into: Project, path: Path, *, published: bool = True, **options: Any) -> run.ImportReport:
    """The same of a file that is there."""
    mode = options.pop("mode", run.Mode.ALL)
    export = reading.options_for(registry.get(into.protocol), path, options)
    ending = "" if export is None else reading.ending_in_zip(export, path)
    if not ending:
        return load(into, path, published=published, export=export, mode=mode)
    source = TextZip(path, published=published, export=export, suffix=ending)
    how = {"clock": lambda: NOON, "progress": lambda *seen: None, "mode": mode}
    return run.run(into, source, sha256=source.sha256(), by=None, **how)


def collection(folder: Path, *, name: str = "collection.zip", **files: str | bytes) -> Path:
    """A zip of texts and annotations; `mill_txt` is mill.txt."""
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for key, data in files.items():
            archive.writestr(key.replace("_", "."), data)
    return path


def questions_of(project: Project) -> dict[str, list[str]]:
    """What was asked in a project, with the words of the answers that came along, in order."""
    found = {}
    for item in Item.objects.filter(project=project, kind="question").order_by("position"):
        rows = Response.objects.filter(annotation__item=item, annotation__purpose=Purpose.IMPORT).order_by("pk")
        found[item.payload["question"]] = [
            f"{one['answer_start']}:{one['text']}" for one in rows.values_list("payload", flat=True)
        ]
    return found


def annotations_of(project: Project) -> int:
    return Annotation.objects.filter(item__project=project).count()
