"""Recognise what a project has already: another release of data that it has imported, whose annotations would come in
again under other ids; and the same text, or items that ask the same, in two splits.

Every release gives annotations ids of its own, so they are recognised by what they say: by the annotations of an item
with the same id or, if an item has the id of an annotation of it, with the same text and payload.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import orjson
from django.utils.translation import gettext as _

from annotation import projects, registry
from annotation.errors import ImportRefused
from annotation.imports import insert
from annotation.imports.insert import ImportReport
from annotation.imports.spool import SeenIds
from annotation.models import Annotation, Item, ItemDocument, Project, Purpose, Response
from annotation.parsing.incoming import RefusedLine
from annotation.releases import selection
from annotation.releases.selection import known_items

NAME = re.compile(r"[0-9a-f]{40}")
"""Ids and pseudonyms in payloads, which differ between releases too."""
Entry = dict[str, Any]


class Told(NamedTuple):
    """The ids of an item's annotations, and what they say, as often as they do."""

    ids: set[str]
    answers: Counter[bytes]


def check(project: Project) -> Callable[[list[Entry], dict[tuple[str, str], Item]], None]:
    """A function that is called with some entries of a published file and the project's items of these ids.

    It raises ImportRefused at the first entry that is another release of what is there.
    """
    imported = Annotation.objects.filter(item__project=project, item__undone_at=None, purpose=Purpose.IMPORT)
    if not imported.exists():
        return lambda entries, have: None
    return lambda entries, have: _check(project, entries, have)


def _check(project: Project, entries: list[Entry], have: dict[tuple[str, str], Item]) -> None:
    annotated = [entry for entry in entries if entry["annotations"]]
    alike = {id(entry): [have[key]] for entry in annotated if (key := (entry["kind"], entry["external_id"])) in have}
    named = [entry for entry in annotated if id(entry) not in alike and entry["external_id"] in _ids(entry)]
    alike |= _with_the_same_texts(project, named)
    told = _told({item.pk for items in alike.values() for item in items})
    for entry in annotated:
        new = Told(_ids(entry), Counter(map(_answers_as_bytes, _answers(entry))))
        for item in alike.get(id(entry), ()):
            if _is_another_release(new, told[item.pk]):
                raise ImportRefused(_refusal(project, item))


def _refusal(project: Project, item: Item) -> str:
    text = _(
        "This is another release of data that %(project)s has imported: the answers of %(item)s are there under other "
        "ids. Each release has its own ids, so every annotation would come in a second time. Import it into a new "
        "project."
    )
    return text % {"project": project.slug, "item": item.external_id}


def _is_another_release(new: Told, there: Told) -> bool:
    """Whether they have no id in common, and all that one of them says is said by the other."""
    both = (new.answers & there.answers).total()
    return not new.ids & there.ids and 0 < both == min(new.answers.total(), there.answers.total())


def _with_the_same_texts(project: Project, entries: list[Entry]) -> dict[int, list[Item]]:
    """Items of other ids with the same documents and payload as these entries, by id() of the entry."""
    wanted = {found["sha256"] for entry in entries for found in entry["documents"]}
    texts: dict[int, set[str]] = defaultdict(set)
    items: dict[int, Item] = {}
    there = Item.with_set_aside.filter(known_items(), project=project)  # not those of an import that was killed
    rows = ItemDocument.objects.filter(item__in=there, document__sha256__in=wanted)
    for row in rows.select_related("item", "document"):
        texts[row.item_id].add(row.document.sha256)
        items[row.item_id] = row.item
    by_content: dict[tuple[Any, ...], list[Item]] = defaultdict(list)
    for key, item in items.items():
        by_content[item.kind, frozenset(texts[key]), _without_names(item.payload)].append(item)
    return {
        id(entry): by_content[entry["kind"], frozenset(texts_of), _without_names(entry["payload"])]
        for entry in entries
        if (texts_of := {found["sha256"] for found in entry["documents"]})
    }


def _told(items: set[int]) -> dict[int, Told]:
    """What the imported annotations of these items say."""
    told: dict[int, Told] = defaultdict(lambda: Told(set(), Counter()))
    rows = Annotation.objects.filter(item__any_of=items, purpose=Purpose.IMPORT)
    item_of = {}
    for key, item, name in rows.values_list("pk", "item", "external_id"):
        item_of[key] = item
        told[item].ids.add(name)
    answers: dict[int, list[Any]] = defaultdict(list)
    said = Response.objects.filter(annotation__any_of=set(item_of)).order_by("pk")
    for key, stage, payload in said.values_list("annotation", "stage", "payload"):
        answers[key].append((stage, payload))
    for key, item in item_of.items():
        told[item].answers[_answers_as_bytes(answers[key])] += 1
    return told


def _ids(entry: Entry) -> set[str]:
    return {found["external_id"] for found in entry["annotations"]}


def _answers(entry: Entry) -> Iterator[list[Any]]:
    for found in entry["annotations"]:
        yield [(stage, payload) for stage, _schema, payload, *_more in found["responses"]]


def _answers_as_bytes(answers: Iterable[Any]) -> bytes:
    return _without_names([list(one) for one in answers])


def _without_names(value: Any) -> bytes:
    """A JSON value as bytes, without the ids and pseudonyms in it."""
    return orjson.dumps(_cleared(value), option=orjson.OPT_SORT_KEYS)


def _cleared(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _cleared(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_cleared(one) for one in value]
    return "" if isinstance(value, str) and NAME.fullmatch(value) else value


HOW_TO_ALLOW = "Nothing may be in two splits here; that can be changed in the settings."


class SplitFirewall:
    """Compares the new items of a file with each other and with the project, by their texts and similarity keys."""

    def __init__(self, project: Project, seen: SeenIds) -> None:
        self._project, self._protocol, self._seen = project, registry.get(project.protocol), seen
        self._refuses = projects.project_config(project).one_split

    def check(self, entries: list[dict[str, Any]], have: Mapping[tuple[str, str], Item], report: ImportReport) -> None:
        """Note or refuse the entries of which the like is in another split, and note those of which it is in theirs.

        `have`: those that the project has already, which are not new.
        """
        keys = {id(entry): self._keys(entry) for entry in entries}
        known = self._in_project({key for found in keys.values() for _what, key in found})
        for entry in entries:
            there = have.get(insert.item_key(entry))
            split = entry["split"] if there is None else there.split
            for what, key in keys[id(entry)]:
                first, line = self._seen.first(key.encode(), content=split, line=entry["line"])
                others = known[key] | ({first} if line != entry["line"] else set())
                if there is None and others:
                    self._tell(entry, what, others, report)

    def _tell(self, entry: dict[str, Any], what: str, others: set[str], report: ImportReport) -> None:
        elsewhere = sorted(others - {entry["split"]})
        if not elsewhere:
            if what != "text":  # many items share a text
                report.notes.add(entry["line"], [f"The same {what} came before, in the same split."])
        elif self._refuses:
            reason = f"The same {what} is in the split {elsewhere[0]}. {HOW_TO_ALLOW}"
            report.refused.append(RefusedLine(entry["line"], "", reason))
        else:
            report.notes.add(entry["line"], [f"The same {what} is in the split {elsewhere[0]}, too."])

    def _keys(self, entry: dict[str, Any]) -> list[tuple[str, str]]:
        """What the entry must not share with another split: what it is called, and a key that equal ones share."""
        texts = (each["sha256"] for each in entry["documents"] if not each["media_type"].startswith("image/"))
        found = [("text", sha256) for sha256 in texts]
        alike = self._protocol.alike(entry["kind"], entry["payload"])
        return [*found, (str(self._protocol.noun_of(entry["kind"]).one), f"alike {alike}")] if alike else found

    def _in_project(self, keys: Collection[str]) -> dict[str, set[str]]:
        """By key, the splits in which the project has it."""
        alike = [key.removeprefix("alike ") for key in keys if key.startswith("alike ")]
        visible = Item.objects.filter(selection.visible_items(), project=self._project)
        found: dict[str, set[str]] = defaultdict(set)
        if alike:
            for key, split in visible.filter(alike__in=alike).values_list("alike", "split").distinct():
                found[f"alike {key}"].add(split)
        sha256 = "item_documents__document__sha256"
        texts = [key for key in keys if not key.startswith("alike ")]
        for key, split in visible.filter(**{f"{sha256}__in": texts}).values_list(sha256, "split").distinct():
            found[key].add(split)
        return found
