"""Elements of an SVG, escaped, a picture made of them, and positions on its axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any
from unicodedata import east_asian_width

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH = 360
"""Of a picture in a card, so that its text of 12 units is about 12 px high."""
WIDTHS = dict.fromkeys(" .,:;!|'’·-()[]fijlrt", 4.5) | dict.fromkeys("mwMW%@", 11.5)
"""Characters that are narrower or wider than others, in units."""


@dataclass(frozen=True)
class SvgPlot:
    """A picture; `label` is what it shows in a sentence."""

    height: float
    label: str
    body: SafeString
    width: float = WIDTH


def element(name: str, *inside: Any, title: str = "", **attributes: Any) -> SafeString:
    """An element with these attributes (`class_` is class, `text_anchor` is text-anchor) and what is inside.

    `title`: what a pointer that rests on it shows.
    """
    named = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    within = join(*([element("title", title)] if title else []), *inside)
    return format_html("<{0}{1}>{2}</{0}>", name, format_html_join("", ' {}="{}"', named), within)


def join(*parts: Any) -> SafeString:
    """Parts one after the other."""
    return format_html_join("", "{}", ((part,) for part in parts))


def text(
    x: float, y: float, content: Any, *, anchor: str | None = None, class_: str | None = None, title: str = ""
) -> SafeString:
    """A text; `anchor`: start, middle or end."""
    return element("text", content, x=x, y=y, text_anchor=anchor, class_=class_, title=title)


def width_of(words: str) -> float:
    """About how wide a text is at most, in a wide font: the browser's own is known only to it."""
    return sum(12.0 if east_asian_width(each) in "WF" else WIDTHS.get(each, 7.5) for each in words)


def shortened(words: str, width: float) -> str:
    """A text that is at most so wide, with an ellipsis instead of what is cut off."""
    if width_of(words) <= width:
        return words
    while words and width_of(f"{words}…") > width:
        words = words[:-1].rstrip()
    return f"{words}…"


def line(x1: float, x2: float, y1: float, y2: float, class_: str, *, title: str = "") -> SafeString:
    """A straight line."""
    return element("line", x1=x1, x2=x2, y1=y1, y2=y2, class_=class_, title=title)


def bar(x: float, y: float, width: float, height: float, class_: str, *, title: str = "") -> SafeString:
    """A rectangle."""
    return element(
        "rect", x=x, y=y, width=round(max(0.0, width), 1), height=round(max(0.0, height), 1), class_=class_, title=title
    )


@dataclass(frozen=True)
class Scale:
    """Where a value between `low` and `high` is between `start` and `end`; what is outside is at the end."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        width = self.high - self.low
        share = (value - self.low) / width if width else 0.0
        return round(self.start + (self.end - self.start) * min(1.0, max(0.0, share)), 1)


def ticks(most: float, *, about: int = 4, whole: bool = False) -> list[float]:
    """Round numbers from 0 to the first one that is at least `most`, about so many steps apart; `whole`: no fractions.

    Steps are 1, 2, 2.5 or 5 times a power of ten.
    """
    if most <= 0:
        return [0.0, 1.0]
    least = most / about
    power = 10 ** floor(log10(least))
    step = next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= least * (1 - 1e-9))
    if whole:
        step = max(1.0, float(floor(step)) if step < 5 else step)
    found = [0.0]
    while found[-1] < most * (1 - 1e-9):
        found.append(round(len(found) * step, 10))
    return found


def points(places: Iterable[tuple[float, float | None]]) -> str:
    """As the attribute `points` of a line or polygon."""
    return " ".join(f"{x},{y}" for x, y in places)


def places_of_labels(n: int, *, most: int) -> Sequence[int]:
    """At most so many of the places 0 to n - 1, evenly spread, the last one included: those that get a label."""
    if n <= most:
        return range(n)
    step = -(-n // most)
    return sorted(range(n - 1, -1, -step))
