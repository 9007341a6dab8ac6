"""Proofs in Chromium, which run in a pytest process of their own, mostly on one site."""

from __future__ import annotations

import pytest

from tests.browser.conftest import browser_type_launch_args  # noqa: F401 (a fixture)
from tests.browser.desk import Desk, furnish
from tests.forking import ForkedSite
from tests.proving import size


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A served site whose commands are forked."""
    made = ForkedSite(tmp_path_factory.mktemp("site"))
    made.prepare()
    made.start()
    furnish(made, size(40, 1100))
    yield made
    made.close()


@pytest.fixture(scope="module")
def desk(request, site, browser):
    """Somebody who has begun work, a different person per module, whose tabs the tests open and kill."""
    context = browser.new_context()
    yield Desk(site, context.new_page(), request.module.__name__.rsplit(".", 1)[-1]).take_up()
    context.close()
