"""Count what the files of a release have of its members: less than all of it, where a format has no place for some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from annotation.protocol import Format
from annotation.releases import members, selection
from annotation.releases.members import Counts, FrozenAnnotation, FrozenMember
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
