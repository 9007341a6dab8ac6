"""Places each figure and table in the text: after the first paragraph that mentions it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from annotation.protocols.qasper.papers import OURS, PaperText, kind_of

PLACE = "paragraph"
"""Key of a float converted from S2ORC: the index, in the whole paper, of the paragraph that refers to it."""

Named = tuple[str, int]
"""Kind and number, such as ("table", 2)."""

_NUMBERS = {"I": 1, "V": 5, "X": 10, "L": 50}
_NUMBER = r"[0-9]{1,3}|[IVXL]{1,7}(?![A-Za-z])"
_NAMES = re.compile(
    rf"\b(?P<kind>[Ff]ig|FIG|[Tt]ab|TAB)(?:ures?|URES?|les?|LES?|s)?\.?[\s~]*(?P<first>{_NUMBER})"
    rf"(?P<more>(?:\s*(?:,|and|&|to|[-–])\s*(?:{_NUMBER}))*)"
)
_FILE = re.compile(rf"-(?P<kind>Fig|Tab)(?:ure|le)(?P<first>{_NUMBER})-")
_REFERENCE = re.compile(r"\b(?P<kind>FIG|TAB)REF(?P<first>[0-9]{1,6})")


def paragraphs_of_figures(text: PaperText) -> tuple[int | None, ...]:
    """For each figure and table, the index of the paragraph to show it after; None if the text does not mention it."""
    floats = text.raw.get("figures_and_tables", ())
    named = [_name(entry, caption) for entry, caption in zip(floats, text.captions, strict=True)]
    first = _first(text.paragraphs, _names)
    first |= _first_by_reference(text.paragraphs, {name for name in named if name}, first)
    given = [entry.get(PLACE) if OURS in text.raw else None for entry in floats]
    return tuple(
        place if place in range(len(text.paragraphs)) else first.get(name) if name else None
        for place, name in zip(given, named, strict=True)
    )


def _name(entry: Mapping[str, Any], caption: str) -> Named | None:
    """Taken from the caption (Table 2: ...), else from the published file name (3-Table2-1.png)."""
    found = _NAMES.match(caption.lstrip()) or _FILE.search(entry.get("file") or "")
    if not found:
        return None
    kind = entry.get("kind")
    return kind if kind in ("figure", "table") else kind_of(entry.get("file") or "", caption), _number(found["first"])


def _names(paragraph: str) -> Iterator[Named]:
    for found in _NAMES.finditer(paragraph):
        kind = "figure" if found["kind"].lower() == "fig" else "table"
        yield kind, _number(found["first"])
        yield from ((kind, _number(number)) for number in re.findall(_NUMBER, found["more"]))


def _references(paragraph: str) -> Iterator[Named]:
    for found in _REFERENCE.finditer(paragraph):
        yield "figure" if found["kind"] == "FIG" else "table", int(found["first"])


def _first(paragraphs: Iterable[str], names: Any) -> dict[Named, int]:
    found: dict[Named, int] = {}
    for place, paragraph in enumerate(paragraphs):
        for name in names(paragraph):
            found.setdefault(name, place)
    return found


def _first_by_reference(
    paragraphs: Iterable[str], named: Collection[Named], plain: Collection[Named]
) -> dict[Named, int]:
    """Resolve references such as TABREF9, whose numbers are not the readers' but increase in source order.

    They are matched in order with the captioned numbers that no text mentions plainly, if there are equally many.
    """
    met = _first(paragraphs, _references)
    found: dict[Named, int] = {}
    for kind in ("figure", "table"):
        references = sorted(number for of, number in met if of == kind)
        last = max((number for of, number in named if of == kind), default=0)
        wanted = [number for number in range(1, last + 1) if (kind, number) not in plain]
        if len(references) == len(wanted):
            found |= {(kind, at): met[kind, number] for at, number in zip(wanted, references, strict=True)}
    return found


def _number(written: str) -> int:
    if written.isdigit():
        return int(written)
    values = [_NUMBERS[letter] for letter in written]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
