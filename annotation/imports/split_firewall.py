"""Tell of what an import brings into two splits: the same text, or items that ask the same; or refuse it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from annotation import projects, registry
from annotation.imports import insert
from annotation.imports.insert import ImportReport
from annotation.imports.spool import SeenIds
from annotation.models import Item, Project
from annotation.parsing.incoming import RefusedLine
from annotation.releases import selection

HOW_TO_ALLOW = "Nothing may be in two splits here; that can be changed in the settings."


class SplitFirewall:
    """Compares the new items of a file with each other and with the project, by their texts and likeness keys."""

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
