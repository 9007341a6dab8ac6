"""Wait until a page is at rest, and press keys only then. frontend/static/goldfinch/settled.js says when that is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from playwright.sync_api import Locator, Page, TimeoutError

from tests.waiting.page_clock import is_stopped

FRAME = 'iframe[data-frame]:not([src="about:blank"])'
AT_REST = "html[data-settled]"
STAYING = 'html:not([data-under-way~="leaving"])'
READY = 'html:is([data-settled], [data-under-way="speech"])'
"""What is about to be spoken changes nothing for the next key."""
INERT = [" ".join(names) for many in (1, 2, 3) for names in permutations(("drawing", "speech", "timer"), many)]
STANDING = ", ".join([AT_REST, *map('html[data-under-way="{}"]'.format, INERT)])
"""While the clock stands, what waits for a timer or a frame to be drawn does nothing; all else is waited for."""
FRAME_READY = 'html:is([data-settled], [data-under-way="scrolling"])'


def settled(page: Page) -> Page:
    """Wait until nothing is under way in the page and in the frame that it shows; return it.

    Short timers are waited for; those of a second or more, such as the one before an autosave, a test has to pass by
    the page's clock. While that is stopped, none is waited for.
    """
    _wait(page, AT_REST, AT_REST)
    return page


def ready(page: Page) -> Page:
    """Wait until a key or a click has its effect: the scripts run, and nothing under way is about to change that."""
    _wait(page, READY, FRAME_READY)
    return page


def loaded(page: Page) -> Page:
    """Wait until no other page is about to come instead, and this one is complete; its scripts may be at work."""
    page.locator(STAYING).wait_for(state="attached")
    page.wait_for_load_state()
    return page


def _wait(page: Page, at_rest: str, frame_at_rest: str) -> None:
    if is_stopped(page):
        at_rest = frame_at_rest = STANDING
    _be(page.locator("html"), page.locator(at_rest))
    if page.locator(FRAME).count():
        # The frame settles when the page has heard what the frame has told; what the page does about it comes after.
        frame = page.frame_locator(FRAME)
        _be(frame.locator("html"), frame.locator(frame_at_rest))
        _be(page.locator("html"), page.locator(at_rest))


def _be(root: Locator, at_rest: Locator) -> None:
    try:
        at_rest.wait_for(state="attached")
    except TimeoutError as error:
        found = root.get_attribute("data-under-way", timeout=1000)
        raise AssertionError(f"under way: {found or 'nothing that the page tells of'}") from error


@dataclass(frozen=True)
class Keys:
    """The keyboard of a page that is at rest: until its scripts have run, no key does anything, though text is shown.

    `hurried`: do not wait, where the subject is a key that is pressed while something is still under way.
    """

    page: Page
    hurried: bool = False

    def press(self, *keys: str) -> None:
        """Press keys or shortcuts, one after another, each once the one before has had its effect."""
        for key in keys:
            self._wait()
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Type characters, where the focus is, in one go."""
        self._wait()
        self.page.keyboard.type(text)

    def insert_text(self, text: str) -> None:
        """Enter text as an input method does, without keys."""
        self._wait()
        self.page.keyboard.insert_text(text)

    def down(self, key: str) -> None:
        """Press a key and hold it."""
        self._wait()
        self.page.keyboard.down(key)

    def up(self, key: str) -> None:
        """Let go of a key."""
        self.page.keyboard.up(key)

    def _wait(self) -> None:
        if not self.hurried:
            ready(self.page)


def keys(page: Page, *, hurried: bool = False) -> Keys:
    """The keyboard of this page, which waits until the page is at rest."""
    return Keys(page, hurried)
