"""Statistics of annotations, for comparison with the published NQ figures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotation.i18n import _
from annotation.protocols.nq import rules
from annotation.statistics.clustered_means import clustered_shares
from annotation.values.records import AnnotationRecord, ItemRecord, ReleaseRecord, latest_payload

PUBLISHED: dict[str, Any] = {
    "annotations": None,
    "paths": {"bad": 0.14, "no_answer": 0.37, "long_only": 0.13, "short": 0.35, "yes_no": 0.01},
    "long_answer_kinds": {"P": 0.73, "Table": 0.19, "Tr": 0.01, "list": 0.03, "item": 0.03},
}
"""Shares of all annotations, and of all long answers: the NQ paper, section 3, and the README of the release."""
LABELS: dict[str, str] = {
    "annotations": _("Annotations measured"),
    "paths": _("How annotations end"),
    "paths.bad": _("Bad question"),
    "paths.no_answer": _("No long answer"),
    "paths.long_only": _("Long answer only"),
    "paths.short": _("Short answer"),
    "paths.yes_no": _("Yes or no"),
    "long_answer_kinds": _("What long answers are"),
    "long_answer_kinds.P": _("Paragraph"),
    "long_answer_kinds.Table": _("Table"),
    "long_answer_kinds.Tr": _("Row of a table"),
    "long_answer_kinds.list": _("List"),
    "long_answer_kinds.item": _("Item of a list"),
}
NUMBERS = frozenset({"annotations"})
KINDS = {"Ul": "list", "Ol": "list", "Dl": "list", "Li": "item", "Dd": "item", "Dt": "item"}


def figures(records: Iterable[ReleaseRecord]) -> dict[str, Any]:
    """Shares of outcomes and kinds of long answers, by question, with the keys of LABELS.

    A published null counts as no answer; its question may be bad.
    """
    paths: list[tuple[int, str]] = []
    kinds: list[tuple[int, str]] = []
    for place, record in enumerate(records):
        for annotation in record.annotations:
            path, candidate = _path(annotation)
            paths.append((place, path))
            if candidate is not None:
                kinds.append((place, _kind(record.item, candidate)))
    return {
        "annotations": len(paths),
        "paths": clustered_shares(paths, PUBLISHED["paths"]),
        "long_answer_kinds": clustered_shares(kinds, PUBLISHED["long_answer_kinds"]),
    }


def _path(annotation: AnnotationRecord) -> tuple[str, int | None]:
    """The outcome of an annotation, and the candidate of its long answer, if any."""
    question, long, short = (
        latest_payload(annotation.answers, stage) for stage in ("question", "long_answer", "short_answer")
    )
    if question is not None and question.verdict == "bad":
        return "bad", None
    candidate = rules.box_of("long_answer", long)
    if candidate is None:
        return "no_answer", None
    return _short(short), candidate


def _short(short: Any) -> str:
    if short is None:
        return "long_only"
    if hasattr(short, "kind"):
        return {"spans": "short", "yes": "yes_no", "no": "yes_no"}.get(short.kind, "long_only")
    if short.yes_no_answer in ("YES", "NO"):
        return "yes_no"
    return "short" if short.short_answers else "long_only"


def _kind(item: ItemRecord, candidate: int) -> str:
    layout = item.documents[0].layout
    name = layout.tokens[layout.candidates[candidate].start_token].text.strip("<>").split()[0]
    return KINDS.get(name, name)
