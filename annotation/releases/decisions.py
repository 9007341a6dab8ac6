"""What experts decided about annotations that disagree: a release publishes it beside them, in a file of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from annotation import pseudonyms, registry
from annotation.engine import loading
from annotation.models import Adjudication, Project, Purpose, Response
from annotation.releases import recipes
from annotation.releases.members import FrozenMember
from annotation.releases.redacting import Redactor

NAME = "decisions.jsonl"


def lines(
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
