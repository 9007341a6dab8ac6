"""Wait for what another process or thread does, by asking again and again: the one place in tests that sleeps.

A browser page is never polled: tests.waiting.settled and Playwright's locators wait for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
SECONDS = 60
EVERY = 0.02


def until(
    ask: Callable[[], T], *, not_yet: type[Exception] | tuple[type[Exception], ...] = (), seconds: float = SECONDS
) -> T:
    """The first answer that is true. An error of a type in `not_yet` counts as an answer that is not.

    TimeoutError after so many seconds, from the last such error.
    """
    end, last = time.monotonic() + seconds, None
    while True:
        try:
            if answer := ask():
                return answer
        except not_yet as error:
            last = error
        if time.monotonic() > end:
            raise TimeoutError(f"nothing within {seconds} s") from last
        time.sleep(EVERY)
