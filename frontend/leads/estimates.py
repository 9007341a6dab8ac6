"""Numbers in words, with their intervals, and as the cells of a CSV: alike on every page, board and file of leads."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from annotation.statistics.estimates import MORE, TOO_FEW, Estimate
from frontend.wording import formatted
from tasks.setup.estimate import WorkEstimate

CELLS = ("value", "low", "high", "n", "no_interval")
"""What `cells` are called in a header."""


def cells(estimate: Estimate) -> list[Any]:
    """At full precision, with the reason why there is no interval."""
    return [estimate.value, estimate.low, estimate.high, estimate.n, no_interval(estimate)]


def no_interval(estimate: Estimate) -> str:
    """Why a number has no interval, and how many more would be enough; "" if it has one, or is undefined."""
    if not estimate.is_too_few:
        return ""
    if estimate.more is None:
        return gettext(TOO_FEW)
    return ngettext(*MORE, estimate.more) % {"n": whole_number_in_words(estimate.more)}


def least_of(estimates: Iterable[Estimate]) -> float:
    """Where an axis begins that has these numbers and their intervals: at 0, or at the next half below, down to -1."""
    ends = (one.value if one.low is None else one.low for one in estimates)
    return max(-1.0, floor(2 * min(end for end in (0.0, *ends) if end is not None)) / 2)


def interval_with_reason(estimate: Estimate) -> str:
    """The interval in brackets, or why there is none in round ones; "" where there is no number."""
    if estimate.low is None or estimate.high is None:
        return f"({no_interval(estimate)})" if estimate.is_too_few else ""
    return interval_in_words(hundredths(estimate.low), hundredths(estimate.high))


def hours_and_cost(work: WorkEstimate) -> str:
    """What work takes, in a few words, such as "about 12 hours, 150 EUR"; "" if nobody knows."""
    if not work.known:
        return ""
    hours, cost = work.hours()[0], work.cost()
    shown = number_format(hours, 1 if hours < 10 else 0, use_l10n=True, force_grouping=True)
    said = gettext("about %(hours)s hours") % {"hours": shown}
    if cost is None:
        return said
    amount = number_format(cost[0][0], 0, use_l10n=True, force_grouping=True)
    return f"{said}, {amount} {cost[0][1]}"


def day(at: Any, *, year: bool = False) -> str:
    """A day as boards write it: 3 Nov."""
    return formatted(at, "j F Y" if year else "j M")


def whole_number_in_words(value: float) -> str:
    """A number without decimals, in groups."""
    return number_format(round(value), 0, use_l10n=True, force_grouping=True)


def short_number(value: float) -> str:
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
        return gettext("%(n)s s") % {"n": n}
    return gettext("%(minutes)s min %(seconds)s s") % {"minutes": n // 60, "seconds": f"{n % 60:02}"}
