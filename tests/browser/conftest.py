"""Chromium and a served site for browser tests, which run in a pytest process of their own.

`page.goto("/")` opens the site. Its strict CSP blocks `wait_for_function` with a string: wait with locators.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.chromium import launch_options
from tests.forking import ForkedSite
from tests.waiting.site_clock import SiteClock

# A page under test shares its cores with another suite; playwright's five seconds were too short for a fetch in CI.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The served site, empty except for its tables; fill it with `site.manage(...)`."""
    made = ForkedSite(
        tmp_path_factory.mktemp("site"),
        DJANGO_SETTINGS_MODULE="tests.waiting.site_settings",
        GOLDFINCH_CALLS_ITSELF="1",
    )
    yield made.prepare().start()
    made.close()


@pytest.fixture(scope="session")
def site_clock(site):
    """The clock of the served site."""
    return SiteClock(site.folder)


@pytest.fixture(scope="session")
def base_url(site):
    return site.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """The Chromium of the machine."""
    return browser_type_launch_args | launch_options()


@pytest.fixture
def elsewhere(new_context) -> Callable[..., Desk]:
    """The same person with the same work on another device, which has taken over."""

    def opened(desk: Desk, place: str = "", stage: str = "question") -> Desk:
        other = copy.copy(desk)
        other.page = new_context().new_page()
        other.sign_in()
        with other.page.expect_response("**/take/"):
            other.page.goto(place or desk.page.url)
        return other.at(stage)

    return opened
