"""A site that has just been installed, and the browsers of people who come to it."""

from __future__ import annotations

import re
from contextlib import ExitStack

import pytest

from tests.forking import ForkedSite

CODE = re.compile(r"code (\S+)\.$")


@pytest.fixture
def empty(tmp_path, site):
    """A site that has just been installed: it has no account. The site, and the code that it prints."""
    made = ForkedSite(tmp_path / "site")
    made.forked_by = site.fork_server
    made.folder.mkdir()
    made.prepare().start()
    yield made, CODE.search(made.answer.readline().strip()).group(1)
    made.close()


@pytest.fixture
def window(empty, browser):
    """A function: the page of a browser of one's own at that site."""
    site, _code = empty
    with ExitStack() as opened:
        size = {"width": 1440, "height": 900}
        yield lambda: opened.enter_context(browser.new_context(base_url=site.url, viewport=size)).new_page()
