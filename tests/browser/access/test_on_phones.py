"""The narrow half of test_every_state.py."""

from __future__ import annotations

from tests.browser.access.inspecting import inspect


def test_every_state_is_accessible_on_a_phone(site, browser, furnished):
    inspect(site, browser, furnished, size="narrow")
