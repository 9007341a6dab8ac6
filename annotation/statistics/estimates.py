"""A number with its 95 % interval: one shape for agreement, people, the human bound and what is made of them (pure).

An interval is given only where enough clusters differ from the rest in what they do to the number. With fewer, no
bootstrap knows how far the number may be off (`docs/agreement.md` has the cover of both). Then there is none, and it is
said how many more clusters would be enough, if those to come are like those that there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10
from typing import Any, NamedTuple, Self

from annotation.i18n import _, ngettext

ENOUGH = 10
"""So many clusters that differ give an interval."""
METHOD = 2
"""Goes up when the same data give other intervals or another n: what was measured before is measured again."""
TOO_FEW = _("too few for an interval")
MORE = ngettext(
    "too few for an interval: about %(n)s more would do", "too few for an interval: about %(n)s more would do"
)


class Estimate(NamedTuple):
    """A number, the ends of its interval (None: it has none), and how many clusters it is of: whole items.

    `value` is None where the number is undefined. `differing`: how many clusters differ from the rest in what they do
    to it; None if that is not known, as in numbers that were kept by an older version.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    differing: int | None = None

    @classmethod
    def from_list(cls, kept: Sequence[Any] | None) -> Self:
        """From a list that was kept, of four numbers or of five; undefined from None."""
        return cls(*(kept or (None, None, None, 0)))

    def kept(self, decimals: int) -> list[float | int | None]:
        """As a list for JSON, rounded."""
        return [round(each, decimals) if isinstance(each, float) else each for each in self]

    @property
    def is_too_few(self) -> bool:
        """Whether there is a number, but no interval."""
        return self.value is not None and self.low is None

    @property
    def more(self) -> int | None:
        """About how many more clusters would give an interval, if as many of them differ; None if nothing tells."""
        if not self.is_too_few or not self.differing:
            return None
        return _round_up(self.n * max(ENOUGH / self.differing - 1, 0) or 1)

    @property
    def no_interval(self) -> str:
        """Why there is none, in English; "" if there is one, or no number. Pages translate TOO_FEW and MORE."""
        if not self.is_too_few:
            return ""
        return TOO_FEW if self.more is None else MORE[self.more != 1] % {"n": f"{self.more:,}"}


def _round_up(number: float) -> int:
    """To two digits: 134 to 140."""
    step: int = 10 ** max(0, int(log10(max(number, 1))) - 1)
    return step * ceil(number / step - 1e-9)
