"""Count what the files of a release have of its members, less than all of it where a format has no place for some; and
what it leaves out and why, by split: for its manifest, and before it is built."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.db.models import Case, Count, QuerySet, Value, When

from annotation.engine.exclusion import LATE
from annotation.models import Annotation, Item, Project
from annotation.protocol import Format
from annotation.releases import members, selection
from annotation.releases.members import Counts, FrozenAnnotation, FrozenMember
from annotation.releases.redacting import Redactor
from annotation.values.records import ReleaseRecord


class CountedItem(NamedTuple):
    """An item in a file, and its annotations there, by their ids in the release. `name` is its external id, or ""."""

    split: str
    kind: str
    name: str
    annotations: tuple[str, ...]


def of_record(release_format: Format, record: ReleaseRecord) -> Iterator[CountedItem]:
    """What a format that leaves some out (`Format.counted`) writes of one record."""
    if release_format.counted is not None:
        for kind, name, annotations in release_format.counted(record):
            yield CountedItem(record.item.split, kind, name, tuple(one.id_hex for one in annotations))


def of_members(chosen: Iterable[FrozenMember]) -> Iterator[CountedItem]:
    """What other formats write of members: all of them."""
    for member in members.each(chosen):
        ids = tuple(entry["id_hex"] for entry in member["annotations"])
        yield CountedItem(member["split"], member["kind"], member["external_id"], ids)


def entries_in(chosen: Iterable[FrozenMember], counted: Iterable[CountedItem]) -> dict[str, FrozenAnnotation]:
    """The frozen annotations that are in the files, by their ids, in the order of the members."""
    written = {name for one in counted for name in one.annotations}
    every = (entry for member in members.each(chosen) for entry in member["annotations"])
    return {entry["id_hex"]: entry for entry in every if entry["id_hex"] in written}


def counts(
    release_format: Format, chosen: Iterable[FrozenMember], counted: Iterable[CountedItem], selected: Counts
) -> Counts:
    """The counts of what is in the files; what was left out before is as `selected` has it."""
    chosen, counted = list(chosen), list(counted)
    made = Counts(incomplete=selected.incomplete, named=selected.named)
    entries = entries_in(chosen, counted)
    for member in members.each(chosen):
        made.unwritten[member["split"]] += sum(entry["id_hex"] not in entries for entry in member["annotations"])
    for one in counted:
        if one.kind == (release_format.child_kind or release_format.kind):
            made.items[one.split] += 1
            made.annotations[one.split] += len(one.annotations)
        elif selection.has_root_annotations(release_format):
            made.root_annotations[one.split] += len(one.annotations)
        made.flagged[one.split] += sum(len(entries[name].get("flagged", ())) for name in one.annotations)
    for entry in entries.values():
        made.add_people(entry)
    return made


MOST_REASONS = 20
"""Reasons of exclusion that are counted one by one in a split; the others are counted together, as ""."""
NOT_CHOSEN, SEQUESTERED = "not_chosen", "sequestered"


def left_out(
    project: Project, release_format: Format, *, recipe: dict[str, Any], using: str
) -> dict[str, dict[str, Any]]:
    """Annotations by split and reason: `unfinished`, finished `after` the cut-off, `late`, `excluded` (by what the lead
    wrote), and other `purposes`; and the items of whole `splits` that are left out. What is zero is not named."""
    rows = Annotation.objects.using(using).filter(selection.activities_of(release_format), item__project=project)
    rows = rows.filter(selection.visible_items("item__"), selection.in_splits(project, recipe, "item__", using=using))
    counts: dict[str, dict[str, Any]] = defaultdict(dict)
    excluded: Counter[tuple[str, str]] = Counter()
    for split, end, purpose, reason, n in _by_end(rows, until=selection.until_of(recipe)):
        here = counts[split]
        if end != "finished":
            here[end] = here.get(end, 0) + n
        elif purpose not in recipe["purposes"]:
            purposes = here.setdefault("purposes", {})
            purposes[purpose] = purposes.get(purpose, 0) + n
        elif reason == LATE:
            here["late"] = here.get("late", 0) + n
        elif reason:
            excluded[split, reason] += n
    if excluded:
        _add_reasons(counts, excluded, Redactor(project, using=using))
    for split, why, n in splits_left_out(project, release_format, recipe=recipe, using=using):
        counts[split]["split"] = {"why": why, "items": n}
    return {split: counts[split] for split in sorted(counts) if counts[split]}


def splits_left_out(
    project: Project, release_format: Format, *, recipe: dict[str, Any], using: str
) -> list[tuple[str, str, int]]:
    """Name, reason and number of items of each split that is left out whole."""
    items = Item.objects.using(using).filter(selection.visible_items(), project=project, kind=release_format.kind)
    rest = items.exclude(selection.in_splits(project, recipe, using=using)).order_by()
    kept_back = partial(selection.is_sequestered, project)
    counts = rest.values_list("split").annotate(Count("pk"))
    return sorted((split, SEQUESTERED if kept_back(split) else NOT_CHOSEN, n) for split, n in counts)


def _by_end(rows: QuerySet[Annotation], *, until: datetime | None) -> list[tuple[str, str, str, str, int]]:
    """Split, `unfinished`, `after` or `finished`, purpose, reason of exclusion ("": none), and their number."""
    after = [] if until is None else [When(completed_at__gt=until, then=Value("after"))]
    end = Case(When(completed_at=None, then=Value("unfinished")), *after, default=Value("finished"))
    groups = rows.annotate(end=end).order_by().values_list("item__split", "end", "purpose", "exclusion_reason")
    return sorted(groups.annotate(Count("pk")))


def _add_reasons(
    counts: dict[str, dict[str, Any]], excluded: Mapping[tuple[str, str], int], redactor: Redactor
) -> None:
    """By reason, the most frequent first; people who are named in one are not named in the release."""
    for (split, reason), n in sorted(excluded.items(), key=lambda found: (found[0][0], -found[1], found[0][1])):
        reasons = counts[split].setdefault("excluded", {})
        text = redactor.redacted(reason)
        text = text if text in reasons or len(reasons) < MOST_REASONS else ""
        reasons[text] = reasons.get(text, 0) + n
