"""The installed clock of a page, stopped until the test moves it or lets it run on."""

from __future__ import annotations

from weakref import WeakSet

from playwright.sync_api import BrowserContext, Page

AHEAD = 60
"""Seconds by which a clock is advanced before it stops, since it may not already have passed its stopping time."""
_stopped: WeakSet[BrowserContext] = WeakSet()


def stop_clock(page: Page) -> None:
    """Stop the clock of the page, and of all others in its context."""
    page.clock.pause_at(page.evaluate("() => Date.now()") / 1000 + AHEAD)
    _stopped.add(page.context)


def resume_clock(page: Page) -> None:
    """Let the clock run on."""
    _stopped.discard(page.context)
    page.clock.resume()


def is_stopped(page: Page) -> bool:
    """Whether no timer of the page can end before the test moves its clock."""
    return page.context in _stopped
