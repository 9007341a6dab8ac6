"""Finds the images of figures and tables in the folder or zip that the papers come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from annotation.documents.images import ImageAllowance, ImageRefused
from annotation.documents.layout import WHOLE, Layout
from annotation.parsing.incoming import ImportSource, IncomingDocument
from annotation.parsing.sources import TooLarge


class Images:
    """Looks up images by the file names in the papers: in a folder per paper, or in a shared one."""

    def __init__(self, source: ImportSource, documents: Iterable[Mapping[str, Any]]) -> None:
        self._source = source
        # Many papers have a 3-Table1-1.png: in a shared folder, a name is unambiguous only if one paper uses it.
        self._papers = Counter(name for document in documents for name in set(_files(document)))

    def find(self, paper_id: str, document: Mapping[str, Any]) -> tuple[tuple[IncomingDocument, ...], tuple[str, ...]]:
        """A document for each image found, titled with the file name, and notes about the others."""
        found, notes, missing, allowance = [], [], [], ImageAllowance()
        names = list(dict.fromkeys(_files(document)))
        for name in names:
            try:
                allowance.count_file()
                data = self._data(paper_id, name)
                kind, _size = allowance.check(data)
            except TooLarge as error:
                notes.append(f"{error} Its caption is shown.")
            except LookupError:
                missing.append(name)
            except ImageRefused as refused:
                notes.append(f"{name} is left out ({refused.reason}); its caption is shown.")
            else:
                found.append(IncomingDocument(data, kind, Layout(WHOLE), title=name))
        if missing and (found or not self._source.published):
            notes.append(f"No image for {len(missing)} of {len(names)} figures and tables; their captions are shown.")
        return tuple(found), tuple(notes)

    def _data(self, paper_id: str, name: str) -> bytes:
        places = [name]
        if "/" not in name:
            folders = [f"{paper_id}/", f"figures/{paper_id}/", f"images/{paper_id}/"]
            folders += ["", "figures/", "images/"] if self._papers[name] == 1 else []
            places = [folder + name for folder in folders]
        for place in places:
            try:
                return self._source.resource(place)
            except TooLarge:
                raise
            except LookupError:
                continue
        raise LookupError(f"There is no image {name}.")


def _files(document: Mapping[str, Any]) -> list[str]:
    return [entry["file"] for entry in document.get("figures_and_tables", ()) if entry.get("file")]
