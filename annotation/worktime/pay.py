"""Amounts of pay, for projects that state an hourly rate."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

_RATE = re.compile(r"(\d+(?:\.\d{1,2})?) ([A-Z]{3}) (?:an|per) hour")
"""`12.60 EUR an hour`; any other wording is shown as it is, without a calculation."""

Amount = tuple[Decimal, str]
"""The amount, to the cent, and the currency."""


def amount(rate: str, seconds: float) -> Amount | None:
    """The pay for so many seconds; None if the rate can't be parsed."""
    found = _RATE.fullmatch(rate.strip())
    if found is None:
        return None
    exact = Decimal(found[1]) * Decimal(round(seconds)) / 3600
    return exact.quantize(Decimal("0.01"), ROUND_HALF_UP), found[2]


def in_words(amounts: Iterable[Amount | None]) -> str:
    """The sums by currency (`15.12 EUR + 3.00 USD`), or ""."""
    sums: dict[str, Decimal] = {}
    for found in amounts:
        if found is not None:
            sums[found[1]] = sums.get(found[1], Decimal(0)) + found[0]
    return " + ".join(f"{number:.2f} {currency}" for currency, number in sorted(sums.items()))
