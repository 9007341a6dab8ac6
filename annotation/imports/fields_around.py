"""The fields that imported files have beside their list of records: kept with each import, and written by releases."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from annotation import registry
from annotation.models import Job, Project
from annotation.parsing.envelopes import Envelope
from annotation.parsing.incoming import FieldsAround

KEPT = "around"
"""Where the report of an import's job has them: {"splits": [...], "before": pairs, "after": pairs}."""
LONGEST = 64 * 1024
"""Characters of the fields of one file, as JSON, that are kept."""
Pair = list[str]
"""A name and its value as a JSON text: PostgreSQL keeps neither the order of an object's keys nor how a number was
written."""
Sides = dict[str, list[Pair]]
"""The pairs `before` and `after` the list."""


def kept(around: FieldsAround, splits: Collection[str], *, project: Project) -> dict[str, Any]:
    """What an import of items of these splits keeps in its report: nothing without a field that no layout defines."""
    sides = {"before": _pairs(around.before), "after": _pairs(around.after)}
    if _is_too_long(sides) or not _unknown(sides, project):
        return {}
    return {KEPT: {"splits": sorted(splits), **sides}}


def _pairs(fields: Mapping[str, Any]) -> list[Pair]:
    return [[name, json.dumps(value, ensure_ascii=False, separators=(",", ":"))] for name, value in fields.items()]


def _is_too_long(sides: Sides) -> bool:
    return sum(len(name) + len(text) for name, text in _every(sides)) > LONGEST


def _every(sides: Mapping[str, Any]) -> Iterator[Pair]:
    yield from sides["before"]
    yield from sides["after"]


def _unknown(sides: Mapping[str, Any], project: Project) -> dict[str, str]:
    """Those that no layout of the protocol defines, with their values."""
    envelopes = [one.container for one in registry.get(project.protocol).formats if isinstance(one.container, Envelope)]
    defined = {name for one in envelopes for name in (one.records, *one.before, *one.after)}
    return {name: text for name, text in _every(sides) if name not in defined}


def notes(around: FieldsAround, splits: Collection[str], *, project: Project) -> Iterator[str]:
    """Sentences about the fields of a file: what becomes of them, and which of them an earlier import has otherwise."""
    sides = {"before": _pairs(around.before), "after": _pairs(around.after)}
    unknown = _unknown(sides, project)
    names = ", ".join(f"“{name[:40]}”" for name in unknown)[:400]
    if unknown and _is_too_long(sides):
        yield f"The fields of the file beside its list are too long to be kept; releases leave them out: {names}."
        return
    if unknown:
        yield f"The file has fields beside its list, which releases have too: {names}."
    there = as_imported(project, splits)
    for split in sorted(splits & there.keys()):
        before = dict(_every(there[split]))
        for name, text in unknown.items():
            if before.get(name, text) != text:
                yield f"An earlier file of {split} has another “{name[:40]}”; releases have that of this one."


def as_imported(project: Project, splits: Iterable[str], *, until: datetime | None = None) -> dict[str, Sides]:
    """Split -> the fields of its imports (finished by `until`); of a field that several have, the value of the last.

    Imports that were undone have none. Splits without any are left out.
    """
    jobs = Job.objects.filter(project=project, state=Job.State.DONE, undone_at=None, report__has_key=KEPT)
    if until is not None:
        jobs = jobs.filter(finished_at__lte=until)
    wanted, found = set(splits), dict[str, Sides]()
    for report in jobs.order_by("finished_at", "pk").values_list("report", flat=True):
        for split in wanted.intersection(report[KEPT]["splits"]):
            found[split] = _joined(found.get(split, {"before": [], "after": []}), report[KEPT])
    return found


def _joined(earlier: Sides, later: Mapping[str, Any]) -> Sides:
    """Those of a later file, and what only an earlier one has after them on the same side."""
    names = {name for name, _text in _every(later)}
    return {
        side: [*later[side], *(pair for pair in earlier[side] if pair[0] not in names)] for side in ("before", "after")
    }


def is_outdated(job: Job) -> bool:
    """Whether a later import has other values than this one, which is done: importing its file again says them anew."""
    if KEPT not in job.report:
        return False
    said = _unknown(job.report[KEPT], job.project)
    now = as_imported(job.project, job.report[KEPT]["splits"])
    return any(dict(_every(sides)).get(name, text) != text for sides in now.values() for name, text in said.items())


def of_layout(envelope: Envelope, sides: Sides) -> Sides | None:
    """All fields of a layout's file, with those of imported files in their places; None if they add nothing.

    What the layout defines has its own value, on its own side: where the imported file has it, or else next to the
    brackets of the file.
    """
    own = {side: dict(_pairs(getattr(envelope, side))) for side in ("before", "after")}
    defined = {envelope.records, *own["before"], *own["after"]}
    if all(name in defined for name, _text in _every(sides)):
        return None
    placed: Sides = {}
    for side, fixed in own.items():
        found = [[name, fixed.get(name, text)] for name, text in sides[side] if name in fixed or name not in defined]
        there = {name for name, _text in found}
        missing = [[name, text] for name, text in fixed.items() if name not in there]
        placed[side] = missing + found if side == "before" else found + missing
    return placed
