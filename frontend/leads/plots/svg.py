"""Elements of an SVG, escaped, and a picture made of them."""

from __future__ import annotations

from dataclasses import dataclass
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
