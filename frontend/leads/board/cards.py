"""What a card of the board is: a picture with its number, words and links, and the numbers behind it as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from frontend.leads.plots import svg
from frontend.wording import formatted


@dataclass(frozen=True)
class Note:
    """A line under a picture: what counts in bold, then the rest."""

    bold: str
    rest: str
    url: str = ""


@dataclass(frozen=True)
class Card:
    """`about`: what and how many the numbers are of. `nothing`: said instead of a picture that can't be drawn yet.
    `legend`: how to read the picture. `link`: the address and the name of the list behind it."""

    key: str
    title: str
    about: str = ""
    link: tuple[str, str] | None = None
    plot: svg.SvgPlot | None = None
    nothing: str = ""
    notes: Sequence[Note] = ()
    legend: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = field(default=(), repr=False)


def day(at: Any, *, year: bool = False) -> str:
    """A day as boards write it: 3 Nov."""
    return formatted(at, "j F Y" if year else "j M")


def whole_number_in_words(value: float) -> str:
    """A number without decimals, in groups."""
    return number_format(round(value), 0, use_l10n=True, force_grouping=True)


def short(value: float) -> str:
    """A small number with one decimal, a large one without."""
    return whole_number_in_words(value) if value >= 10 or value == int(value) else number_format(round(value, 1), 1)


def share_in_words(value: float) -> str:
    """A share of 0 to 1: 2.4 %."""
    return f"{number_format(round(100 * value, 1), 1)} %"


def hundredths(value: float) -> str:
    """A number with two decimals and a real minus sign."""
    return number_format(round(value, 2) + 0.0, 2).replace("-", "−")  # what is added turns −0.00 into 0.00


def interval_in_words(low: str, high: str) -> str:
    """An interval."""
    return f"[{low}–{high}]"


def seconds_in_words(value: float) -> str:
    """A duration: 9 s, 74 s, 4 min 05 s."""
    n = round(value)
    if n < 120:
        return _("%(n)s s") % {"n": n}
    return _("%(minutes)s min %(seconds)s s") % {"minutes": n // 60, "seconds": f"{n % 60:02}"}
