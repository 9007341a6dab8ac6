"""What time comes to, where a project states a rate of which a sum can be made."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

_RATE = re.compile(r"(\d+(?:\.\d{1,2})?) ([A-Z]{3}) (?:an|per) hour")
"""`12.60 EUR an hour`; other words are shown as they are, and no sum is made of them."""

Amount = tuple[Decimal, str]
"""How much, to the cent, and the currency."""


def amount(rate: str, seconds: float) -> Amount | None:
    """What so many seconds come to; None where the rate's words are none to reckon with."""
    found = _RATE.fullmatch(rate.strip())
    if found is None:
        return None
    exact = Decimal(found[1]) * Decimal(round(seconds)) / 3600
    return exact.quantize(Decimal("0.01"), ROUND_HALF_UP), found[2]


def in_words(amounts: Iterable[Amount | None]) -> str:
    """`15.12 EUR`, one for each currency; "" where there is nothing."""
    sums: dict[str, Decimal] = {}
    for found in amounts:
        if found is not None:
            sums[found[1]] = sums.get(found[1], Decimal(0)) + found[0]
    return " + ".join(f"{number:.2f} {currency}" for currency, number in sorted(sums.items()))
