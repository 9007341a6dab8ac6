"""The server is killed after a stage was written and before it could respond: the new stage is there, once."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.browser.dying_late import DIES


@pytest.fixture
def start_again(site):
    """A function that starts the site that has died; after a test that failed before it did, other tests find it."""
    port, started = urlsplit(site.url).port, []
    yield lambda: started.append(site.start(port))
    if not started:
        (site.folder / DIES).unlink(missing_ok=True)
        site.kill()
        site.start(port)


@pytest.fixture
def fay(site, page):
    return Desk(site, page, "fay-restart").take_up()


def test_a_reload_after_a_kill_between_commit_and_answer_shows_the_new_stage_once(fay, site, start_again):
    page = fay.page
    (site.folder / DIES).touch()
    fay.press("g", "Control+Enter")
    expect(page.locator("[data-notice=sending]")).to_contain_text("Not sent: the connection is gone")
    assert not (site.folder / DIES).exists(), "the server did not die there"
    start_again()
    page.reload()
    fay.at("long_answer")
    assert fay.answers() == [{"verdict": "good"}]
    expect(page.locator("[data-notice=sending]")).to_be_hidden()
    fay.choose("Anna Berg came from Bergen").press("Control+Enter")
    fay.at("short_answer")
    assert [answer.get("quote") for answer in fay.answers()] == [None, "Anna Berg came from Bergen."]
