"""Recognise items that have no id in their file, wherever they stand in it, by what they say.

Between reading and comparing, an item that the project has gets the id by which it knows it (those of older versions
were made from the item's place in the file), and what the project knows of its place. Nothing else is changed: what
a later file says differently is refused like any other change.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

import orjson
from django.conf import settings
from django.db.models import OuterRef, Subquery

from annotation import registry
from annotation.imports import spool
from annotation.models import Item, ItemDocument, Project
from annotation.protocol_tools import Unnamed
from annotation.releases.selection import known_items

Entry = dict[str, Any]
Key = tuple[str, ...]
"""What items have in common that can be the same: the kind, the text or else the root, and some fields in order."""


def recognised(project: Project, lines: Iterator[bytes], *, each: Callable[[], None]) -> Iterator[bytes]:
    """The spool lines of a file, each unnamed item under the id by which the project knows it, if it does.

    The file is read to its end first, if the project has such items; then `each` is called now and then.
    """
    unnamed = registry.get(project.protocol).unnamed
    if not Item.with_set_aside.filter(project=project, kind__in=unnamed, made_from=None).exists():
        yield from lines
        return
    with TemporaryFile(dir=settings.GOLDFINCH_DATA / "imports") as file:
        file.writelines(lines)
        finder = _Finder(project, unnamed, (entries for entries, _texts in _records(file, each)))
        for entries, texts in _records(file, each):
            for entry, text in zip(finder.renamed(entries), texts, strict=True):
                yield text if entry is None else spool.to_line(entry)


def _records(file: IO[bytes], each: Callable[[], None]) -> Iterator[tuple[list[Entry], list[bytes]]]:
    """The entries of each record of the imported file, and their spool lines."""
    file.seek(0)
    rows = ((spool.loads(text), text) for text in file)
    for _line, part in groupby(rows, key=lambda row: row[0]["line"]):
        found = list(part)
        each()
        yield [entry for entry, _text in found], [text for _entry, text in found]


class _Group(NamedTuple):
    """What neighbours share, and their split."""

    name: str
    split: str


class _Finder:
    """The items of a project that a file's unnamed ones can be."""

    def __init__(self, project: Project, unnamed: Mapping[str, Unnamed], records: Iterable[list[Entry]]) -> None:
        self._unnamed = unnamed
        self._items = Item.with_set_aside.filter(known_items(), project=project)
        self._index = self._indexed()
        self._roots: dict[Key, int] = {}
        """The item under which the project has what the file has under an unnamed one, by the file's name for that."""
        self._lacking: Counter[bytes] = Counter()
        """How often the file has something around its items, beyond those that the project has."""
        for entries in records:
            self._roots |= self._roots_of(entries)
            self._lacking.update(each for entry in entries if entry.get("unnamed") for each in self._around(entry))
        if self._lacking:
            self._lacking.subtract(self._there_around())
        self._taken = set(self._roots.values())

    def renamed(self, entries: list[Entry]) -> list[Entry | None]:
        """The entries of a record as they are to be imported: None for one that stays as it is."""
        mine = [entry for entry in entries if entry.get("unnamed")]
        there = self._there(mine) if mine else {}
        found = self._find(mine, there)
        groups = self._groups(mine, found, there)
        names: dict[Key, str] = {}
        result: list[Entry | None] = []
        for entry in entries:
            changed = entry
            if entry.get("unnamed"):
                item, known = found.get(_name(entry)), there.get(self._key(entry), [])
                changed = self._as_known(entry, item) if item else self._as_new(entry, known, groups)
                names[_name(entry)] = changed["external_id"]
            above = tuple(entry["parent"] or ())
            if above in names:
                changed = changed | {"parent": [above[0], names[above]]}
            result.append(None if changed == entry else changed | {"content": spool.content_hash(changed)})
        return result

    def _indexed(self) -> dict[bytes, list[int]]:
        """The imported items of the project by hashes of their keys, in order. One query: no title has an index."""
        first = ItemDocument.objects.filter(item=OuterRef("pk"), position=0).values("document__sha256")
        rows = self._items.filter(kind__in=self._unnamed, made_from=None).annotate(text_sha256=Subquery(first))
        columns = ("pk", "kind", "payload", "text_sha256", "root__kind", "root__external_id")
        found: dict[bytes, list[int]] = defaultdict(list)
        for pk, kind, payload, text, *root in rows.order_by("position", "pk").values_list(*columns).iterator(2000):
            key = _key(self._unnamed[kind], kind, text or "/".join(filter(None, root)), payload)
            found[_digest(key)].append(pk)
        return found

    def _key(self, entry: Entry) -> Key:
        text = entry["documents"][0]["sha256"] if entry["documents"] else "/".join(entry["parent"] or ())
        return _key(self._unnamed[entry["kind"]], entry["kind"], text, entry["payload"])

    def _there(self, entries: list[Entry]) -> dict[Key, list[Item]]:
        """The imported items of the project that say the same as these entries, in order."""
        keys = {key: self._index[_digest(key)] for key in map(self._key, entries) if _digest(key) in self._index}
        rows = Item.with_set_aside.in_bulk([pk for pks in keys.values() for pk in pks])
        return {key: [rows[pk] for pk in pks] for key, pks in keys.items()}

    def _roots_of(self, entries: list[Entry]) -> dict[Key, int]:
        """The unnamed entries under which the file has items with ids that the project has under such an item."""
        keys = {_name(entry): self._key(entry) for entry in entries if entry.get("unnamed")}
        below = {_name(entry): tuple(entry["parent"]) for entry in entries if tuple(entry["parent"] or ()) in keys}
        if not below:
            return {}
        there = self._there([entry for entry in entries if _name(entry) in below.values()])
        kinds, names = {kind for kind, _name in below}, {name for _kind, name in below}
        rows = self._items.filter(kind__in=kinds, external_id__any_of=names)
        found: dict[Key, int] = {}
        for kind, name, root in rows.exclude(root=None).values_list("kind", "external_id", "root"):
            above = below.get((kind, name))
            if above and root in {item.pk for item in there.get(keys[above], ())}:
                found.setdefault(above, root)
        return found

    def _find(self, entries: list[Entry], there: Mapping[Key, list[Item]]) -> dict[Key, Item]:
        """The items that these entries are, each at most one: those under which the project has what the file has under
        the entry; else those of equal content; else those that differ in other fields, which are refused as changed.
        """
        found: dict[Key, Item] = {}
        for is_it in (self._is_root, self._is_same, self._is_changed):
            for entry in entries:
                name = _name(entry)
                for item in there.get(self._key(entry), ()) if name not in found else ():
                    if is_it(entry, item):
                        found[name] = item
                        self._taken.add(item.pk)
                        break
        return found

    def _is_root(self, entry: Entry, item: Item) -> bool:
        return self._roots.get(_name(entry)) == item.pk

    def _is_same(self, entry: Entry, item: Item) -> bool:
        changed = self._as_known(entry, item)
        same = (spool.content_hash(changed), spool.legacy_content_hash(changed))
        return item.pk not in self._taken and item.content_sha256 in same

    def _is_changed(self, entry: Entry, item: Item) -> bool:
        there = item.split == entry["split"] or item.external_id == entry["external_id"]
        return item.pk not in self._taken and there

    def _as_known(self, entry: Entry, item: Item) -> Entry:
        """The entry with the item's id, and with its place as the item has it."""
        places = self._unnamed[entry["kind"]].places
        said = {key: value for key, value in entry["payload"].items() if key not in places}
        kept = {key: item.payload[key] for key in places if key in item.payload}
        return entry | {"external_id": item.external_id, "payload": said | kept}

    def _as_new(self, entry: Entry, there: list[Item], groups: Mapping[Key, _Group]) -> Entry:
        """The entry in the group and split that its neighbours are known in, with an id that no item has."""
        group, payload = self._unnamed[entry["kind"]].group, self._without_known(entry)
        found = groups[entry["kind"], payload[group]] if group else _Group("", entry["split"])
        name = _free(entry["external_id"], {item.external_id for item in there})
        changed = entry | {"external_id": name, "payload": payload | ({group: found.name} if group else {})}
        return changed | ({"into": found.split} if found.split != entry["split"] else {})

    def _groups(
        self, entries: list[Entry], existing: Mapping[Key, Item], there: Mapping[Key, list[Item]]
    ) -> dict[Key, _Group]:
        """By kind and the file's name for a group: that of the project, or one that the project does not have yet."""
        groups: dict[Key, _Group] = {}
        for entry in sorted(entries, key=lambda entry: _name(entry) not in existing):
            kind, group = entry["kind"], self._unnamed[entry["kind"]].group
            if group and (kind, entry["payload"][group]) not in groups:
                item, name = existing.get(_name(entry)), entry["payload"][group]
                known = {each.payload[group] for rows in there.values() for each in rows if each.kind == kind}
                new = _Group(_free(name, known), entry["split"])
                groups[kind, name] = _Group(item.payload[group], item.split) if item else new
        return groups

    def _around(self, entry: Entry) -> Iterator[bytes]:
        """What stands around an entry, by its split."""
        for key in self._unnamed[entry["kind"]].around:
            yield from (_bytes(entry["split"], each) for each in entry["payload"].get(key, ()))

    def _there_around(self) -> Counter[bytes]:
        """How often the project has what stands around items."""
        found: Counter[bytes] = Counter()
        for kind, how in self._unnamed.items():
            for key in how.around:
                for row in self._items.filter(kind=kind, payload__has_key=key):
                    found.update(_bytes(row.split, each) for each in row.payload[key])
        return found

    def _without_known(self, entry: Entry) -> dict[str, Any]:
        """The payload of a new entry, without what stands around it and has come in with another one."""
        payload = dict(entry["payload"])
        for key in self._unnamed[entry["kind"]].around:
            kept = []
            for each in payload.pop(key, ()):
                self._lacking[_bytes(entry["split"], each)] -= 1
                kept += [each] if self._lacking[_bytes(entry["split"], each)] >= 0 else []
            payload |= {key: kept} if kept else {}
        return payload


def _name(entry: Entry) -> Key:
    return entry["kind"], entry["external_id"]


def _key(how: Unnamed, kind: str, text: str, payload: Mapping[str, Any]) -> Key:
    return kind, text, *(_bytes(payload.get(field)).decode() for field in how.by)


def _digest(key: Key) -> bytes:
    return hashlib.sha256(_bytes(*key)).digest()[:16]


def _bytes(*values: Any) -> bytes:
    return orjson.dumps(values, option=orjson.OPT_SORT_KEYS)


def _free(name: str, taken: set[str]) -> str:
    """The name, or one as long that is made from it, if it is taken."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = hashlib.sha256(f"{name}\n{number}".encode()).hexdigest()[: len(name)]
    return found
