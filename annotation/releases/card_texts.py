"""What leads wrote for the data card of a release, read from its manifest, and texts as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

Manifest = dict[str, Any]


def texts_of(manifest: Manifest) -> dict[str, str]:
    """What leads wrote for the card, by the names of `CardTexts`; releases from before that have none."""
    texts: dict[str, str] = manifest["measured"].get("texts", {})
    return texts


def languages_of(manifest: Manifest) -> list[str]:
    """The codes of the languages that leads named."""
    return [code for each in texts_of(manifest).get("language", "").split(",") if (code := each.strip())]


def authors_of(manifest: Manifest) -> list[str]:
    """The authors that leads named, or else the organisation, if it has a name."""
    named = [" ".join(line.split()) for line in texts_of(manifest).get("authors", "").splitlines()]
    return [each for each in named if each] or list(filter(None, [manifest["measured"]["organisation"]]))


def written_by_leads(manifest: Manifest, *parts: tuple[str, str]) -> Iterator[str]:
    """The texts with these names, each under its heading; their Markdown is kept, but for high headings."""
    for name, heading in parts:
        if text := tidied(texts_of(manifest).get(name, "")):
            yield f"## {heading}\n\n{text}\n" if heading else f"{text}\n"


def tidied(text: str) -> str:
    """The text of a lead, in which headings are below those of the card."""
    return re.sub(r"^#{1,2}(?=\s)", "###", text.replace("\r\n", "\n").strip(), flags=re.MULTILINE)


def plain(text: str) -> str:
    """A text on one line that Markdown doesn't interpret."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", " ".join(text.split()))


def markdown_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of a table, and an empty one after it; cells are Markdown already."""
    head = list(head)
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""
