"""A lost connection and a server that restarts while a form is open: nothing is lost, and nothing counts twice."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.waiting.page_clock import resume_clock


@pytest.fixture
def ada(site, page):
    return Desk(site, page, "ada-offline").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/proofs/browser/test_offline_submits.py::test_every_answer_that_was_sent_offline_arrives_once"
)
def test_work_done_without_a_connection_is_kept_on_the_device_and_sent_automatically_later(ada):
    page = ada.page
    page.context.set_offline(True)
    ada.press("b", "4", "Control+Enter")
    expect(page.locator("[data-notice=sending]")).to_contain_text("is sent as soon as you are connected again")
    assert ada.answers() == []
    page.context.set_offline(False)
    expect(page.locator("[name=verdict]:checked")).to_have_count(0)
    assert ada.answers() == [{"verdict": "bad", "reasons": ["opinion"]}]
    assert page.evaluate("() => Object.keys(localStorage).filter(key => key.includes('outbox'))") == []


@pytest.fixture
def bea(site, page):
    page.clock.install()
    return Desk(site, page, "bea-offline").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_killed_between_commit_and_answer.py"
    "::test_a_reload_after_a_kill_between_commit_and_answer_shows_the_new_stage_once"
)
def test_an_answer_whose_response_was_lost_counts_once_and_is_not_asked_for_again(bea):
    page = bea.page

    def deliver_and_lose(route):
        route.fetch()
        route.abort()

    page.route("**/question/", deliver_and_lose)
    bea.still().press("b", "1", "Control+Enter")
    page.locator("[data-notice=sending]").wait_for()
    page.unroute("**/question/")
    with page.expect_response("**/kept/") as asked:
        page.goto(f"{bea.site.url}/")
    assert asked.value.status == 204
    expect(page.get_by_role("link", name="Send it now")).to_have_count(0)
    assert bea.answers() == [{"verdict": "bad", "reasons": ["ambiguous"]}]


@pytest.fixture
def cleo(site, page):
    page.clock.install()
    return Desk(site, page, "cleo-offline").take_up()


def test_an_unsent_answer_goes_out_when_its_page_is_opened_again_and_signing_out_erases_it(cleo):
    page = cleo.page
    page.route("**/question/", lambda route: route.abort())
    cleo.still().press("g", "Control+Enter")
    page.locator("[data-notice=sending]").wait_for()
    page.unroute("**/question/")
    page.goto(f"{cleo.site.url}/")
    resume_clock(page)
    page.get_by_role("link", name="Send it now").click()
    cleo.at("long_answer")
    assert cleo.answers() == [{"verdict": "good"}]
    page.route("**/long_answer/", lambda route: route.abort())
    cleo.choose("Anna Berg came from Bergen").press("Control+Enter")
    page.locator("[data-notice=sending]").wait_for()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()
    assert page.evaluate("() => Object.keys(localStorage).filter(key => /outbox|draft/.test(key))") == []


@pytest.fixture
def dina(site, page):
    return Desk(site, page, "dina-restart").take_up().good()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_killed_between_commit_and_answer.py"
    "::test_a_reload_after_a_kill_between_commit_and_answer_shows_the_new_stage_once"
)
def test_a_server_that_restarts_while_a_form_is_open_loses_nothing(dina):
    page, port = dina.page, urlsplit(dina.site.url).port
    dina.choose("Olaf Lund came from Oslo").saved()
    dina.site.stop()
    dina.choose("Anna Berg came from Bergen")
    expect(page.locator("[data-saved]")).to_have_text("Not saved, trying again")
    dina.press("Control+Enter")
    expect(page.locator("[data-notice=sending]")).to_contain_text("Not sent: the connection is gone")
    dina.site.start(port)
    dina.at("short_answer")
    assert [answer.get("quote") for answer in dina.answers()] == [None, "Anna Berg came from Bergen."]


@pytest.fixture
def edda(site, page):
    return Desk(site, page, "edda-restart").take_up().good()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_killed_between_commit_and_answer.py"
    "::test_a_reload_after_a_kill_between_commit_and_answer_shows_the_new_stage_once"
)
def test_a_reload_after_a_restart_shows_the_stage_and_the_draft_as_they_were(edda):
    edda.choose("Olaf Lund came from Oslo").saved()
    edda.site.stop()
    edda.site.start(urlsplit(edda.site.url).port)
    edda.page.reload()
    edda.at("long_answer")
    expect(edda.frame.locator("[data-chosen]")).to_have_text("Olaf Lund came from Oslo.")
