"""Write members as JSON Lines with everything that a release may say of them; docs/releases.md lists the fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import orjson

from annotation import events, pseudonyms
from annotation.engine import loading
from annotation.engine.exclusion import LATE
from annotation.models import Annotation, Item, ItemDocument, Project, Response
from annotation.protocol import Format
from annotation.releases import recipes, selection
from annotation.releases.members import FrozenAnnotation, FrozenMember
from annotation.releases.redacting import Redactor

LEFT_OUT = "left_out.jsonl"
"""The file beside the data that lists what was finished and is not in it."""
CHUNK = 200
ITEM = ("pk", "kind", "external_id", "split", "payload", "is_gold", "made_from__uuid")
ANNOTATION = ("pk", "uuid", "activity", "round", "purpose", "opened_at", "completed_at", "guidelines__number")
RESPONSE = (
    "pk", "annotation_id", "stage", "turn", "revision", "seat", "schema", "payload", "guidelines__number", "seconds",
    "created_at", "by_script",
)  # fmt: skip


def entries(
    project: Project, members: Sequence[FrozenMember], *, recipe: recipes.Recipe, using: str
) -> Iterator[dict[str, Any]]:
    """One JSON object for each member, in order."""
    for start in range(0, len(members), CHUNK):
        part = members[start : start + CHUNK]
        loaded = _Part(project, [*part, *(child for one in part for child in one["children"])], recipe, using)
        for member in part:
            yield loaded.entry(member)


class _Part:
    """The rows of some members, read with a fixed number of queries."""

    def __init__(self, project: Project, members: Sequence[FrozenMember], recipe: recipes.Recipe, using: str) -> None:
        self._protocol, self._times = project.protocol, recipe.get("times", recipes.COARSEST)
        self._writer = recipes.writer_of(recipe)
        names = {member["external_id"] for member in members}
        items = Item.objects.using(using).filter(project=project, external_id__any_of=names)
        self._items = {(row.kind, row.external_id): row for row in items.values_list(*ITEM, named=True)}
        self._documents: dict[int, list[Any]] = defaultdict(list)
        documents = ItemDocument.objects.using(using).filter(item__any_of={row.pk for row in self._items.values()})
        columns = ("item_id", "document__sha256", "document__media_type", "title", "url", "licence")
        for row in documents.order_by("position").values_list(*columns):
            self._documents[row[0]].append(row[1:])
        self._ids = {entry["uuid"]: entry["id_hex"] for member in members for entry in member["annotations"]}
        annotations = Annotation.objects.using(using).filter(uuid__any_of=set(self._ids))
        self._annotations = {str(row.uuid): row for row in annotations.values_list(*ANNOTATION, named=True)}
        self._responses: dict[int, list[Any]] = defaultdict(list)
        found = Response.objects.using(using).filter(annotation__any_of={row.pk for row in self._annotations.values()})
        for row in found.order_by("pk").values_list(*RESPONSE, named=True):
            self._responses[row.annotation_id].append(row)

    def entry(self, member: FrozenMember) -> dict[str, Any]:
        item = self._items[member["kind"], member["external_id"]]
        names = ("sha256", "media_type", "title", "url", "licence")
        return {
            "id": item.external_id,
            "kind": item.kind,
            "split": item.split,
            "payload": self._payload(item),
            "documents": [dict(zip(names, row, strict=True)) for row in self._documents[item.pk]],
            "made_by": member["author"],
            "annotations": [self._annotation(one) for one in member["annotations"]],
            "items": [self.entry(child) for child in member["children"]],
        }

    def _payload(self, item: Any) -> dict[str, Any]:
        """The payload, where an annotation that it was made from has its id of this release ("": it is not in it)."""
        payload: dict[str, Any] = item.payload
        if self._writer != 1 and item.made_from__uuid is not None:
            uuid = str(item.made_from__uuid)
            payload = _replaced(payload, pseudonyms.id_hex(uuid), self._ids.get(uuid, ""))
        return payload

    def _annotation(self, frozen: FrozenAnnotation) -> dict[str, Any]:
        row = self._annotations[frozen["uuid"]]
        workers = frozen.get("workers", {"one": frozen["worker"]})
        said = self._responses[row.pk][: frozen["responses"]]
        activity = loading.activity_of(self._protocol, row.activity)
        counting = {one.pk for one in loading.effective_responses(activity, said)}
        seconds = self._seconds(frozen, said)
        return {
            "id": frozen["id_hex"],
            "id64": frozen["id64"],
            "external_id": frozen["external_id"],
            "activity": row.activity,
            "round": row.round,
            "purpose": row.purpose,
            "workers": workers,
            "guidelines": row.guidelines__number,
            "opened": recipes.coarse(row.opened_at, self._times),
            "completed": recipes.coarse(row.completed_at, self._times),
            "flagged": frozen.get("flagged", []),
            "accepted": frozen.get("accepted", False),
            **self._total(seconds),
            "responses": [
                self._response(one, workers, counts=one.pk in counting, seconds=share)
                for one, share in zip_longest(said, seconds)
            ],
        }

    def _seconds(self, frozen: FrozenAnnotation, answers: list[Any]) -> list[int | None]:
        """Seconds of work before each answer, [] if not measured; with the first writer those since the step before."""
        if self._writer > 1:
            return list(frozen.get("seconds", []))
        return [None if one.seconds is None else round(one.seconds) for one in answers]

    def _total(self, seconds: list[int | None]) -> dict[str, int | None]:
        if self._writer == 1:
            return {}
        told = seconds and self._times != recipes.COARSEST
        return {"seconds": sum(filter(None, seconds)) if told else None}

    def _response(self, row: Any, workers: dict[str, str], *, counts: bool, seconds: int | None) -> dict[str, Any]:
        at = recipes.coarse(row.created_at, self._times)
        return {
            "stage": row.stage,
            "turn": row.turn,
            "revision": row.revision,
            "seat": row.seat,
            "worker": workers.get(row.seat, ""),
            "schema": row.schema,
            "payload": row.payload,
            "counts": counts,
            "guidelines": row.guidelines__number,
            "at": at,
            "seconds": None if at is None else seconds,
            **({"by": events.API} if row.by_script else {}),
        }


def _replaced(value: Any, old: str, new: str) -> Any:
    """A JSON value with another text for each that equals `old`."""
    if isinstance(value, dict):
        return {key: _replaced(one, old, new) for key, one in value.items()}
    if isinstance(value, list):
        return [_replaced(one, old, new) for one in value]
    return new if value == old else value


def left_out(
    project: Project, release_format: Format, *, recipe: recipes.Recipe, release: str, redactor: Redactor, using: str
) -> bytes:
    """A line for each annotation that was finished and excluded, with the reason, in the order of its item."""
    rows = Annotation.objects.using(using).filter(
        selection.activities_of(release_format),
        selection.visible_items("item__"),
        selection.in_splits(project, recipe, "item__", using=using),
        item__project=project,
        purpose__in=recipe["purposes"],
        completed_at__isnull=False,
        excluded_at__isnull=False,
    )
    rows = selection.finished_until(rows, selection.until_of(recipe)).order_by("item__position", "item", "uuid")
    item = ("item__kind", "item__external_id", "item__split")
    columns = rows.values_list(*item, "uuid", "activity", "exclusion_reason", "excluded_at")
    times, lines = recipe.get("times", recipes.COARSEST), []
    for kind, name, split, uuid, activity, reason, at in columns.iterator(chunk_size=1000):
        line = {
            "annotation": recipes.id_in(recipe, release, str(uuid)),
            "kind": kind,
            "item": name,
            "split": split,
            "activity": activity,
            "why": "late" if reason == LATE else "excluded",
            "reason": "" if reason == LATE else redactor.redacted(reason),
            "at": recipes.coarse(at, times),
        }
        lines.append(orjson.dumps(line) + b"\n")
    return b"".join(lines)
