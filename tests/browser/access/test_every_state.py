"""axe finds nothing in any screenshot state, light or dark, nor in any frame; no page is too wide.

In each state, targets are large enough: for a mouse on wide screens, for a finger on narrow ones.
Both sizes are in one file, and so in one process: they share the site that is furnished for them.
"""

from __future__ import annotations

from tests.browser.access.inspecting import AS_OTHERS, NARROW_TOO, findings, inspect
from tests.browser.access.targets import too_small
from tests.screens.catalogue import NARROW, PICTURES


def test_every_state_is_accessible(site, browser, furnished):
    inspect(site, browser, furnished, size="wide")


def test_every_state_is_accessible_on_a_phone(site, browser, furnished):
    inspect(site, browser, furnished, size="narrow")


def test_everything_that_is_checked_is_in_the_catalogue():
    assert (NARROW_TOO | AS_OTHERS) - set(PICTURES) - set(NARROW) == set()


def test_the_control_axe_finds_an_image_without_alt_text(page):
    page.set_content("<html lang=en><title>A</title><main><h1>A</h1><img src='data:,'></main></html>")
    assert any(found.startswith("image-alt") for found in findings(page))


def test_the_control_small_targets_are_found_and_a_link_in_a_sentence_may_be_small(page):
    small = (
        "<style>button { width: 23px; height: 30px; padding: 0 }</style><button>a</button><p>See <a href=/>b</a>.</p>"
    )
    page.set_content(f"<!doctype html>{small}<p><label style='font-size: 30px'><input type=checkbox> c</label>")
    assert too_small(page, 24) == ["button. “a” is 23 x 30 px"]
