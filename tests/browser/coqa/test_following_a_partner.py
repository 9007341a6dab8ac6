"""A page that waits follows the partner by itself, and says what they have said."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.coqa.listening import block_sockets
from tests.browser.desk import stop_clock

NOW = re.compile(r"/now/$")
SCRIPT = """() => performance.getEntriesByType("resource")
  .map((each) => each.name).find((name) => name.includes("goldfinch/live"))"""
POKE = "async (script) => (await import(script)).poke()"


def test_what_the_partner_said_is_spoken_and_the_caret_is_in_the_box(pair):
    questioner, answerer = pair()
    questioner.ask("Who is Pip?").waiting()
    answerer.at("answer-1")
    expect(answerer.page.locator("h1")).to_be_focused()
    answerer.say("a grey cat", "A grey cat").press("Control+Enter").waiting()
    questioner.at("question-2")
    expect(questioner.page.locator("[data-live]")).to_have_text("Your partner: A grey cat")
    expect(questioner.page.locator("#text")).to_be_focused()


def test_after_a_cut_connection_the_page_catches_up(pair):
    questioner, answerer = pair()
    answerer.page.context.set_offline(True)
    questioner.ask("Who is Pip?").waiting()
    expect(answerer.page.locator("[data-notice=connection]")).to_be_visible()
    answerer.page.context.set_offline(False)
    answerer.at("answer-1")
    expect(answerer.page.locator("h1")).to_have_text("Who is Pip?")


def test_a_poke_fetches_at_once(pair):
    questioner, answerer = pair()
    script = answerer.page.evaluate(SCRIPT)
    block_sockets(answerer.page)
    answerer.page.clock.install()
    answerer.page.reload()
    answerer.waiting()
    stop_clock(answerer.page)
    questioner.ask("Who is Pip?").waiting()
    expect(answerer.page.locator("[data-said]")).to_have_count(0)
    with answerer.page.expect_response(NOW):
        answerer.page.evaluate(POKE, script)
    expect(answerer.page.locator("h1")).to_have_text("Who is Pip?")


def test_a_next_screen_that_is_slow_to_come_is_asked_for_once_and_comes_in_one_answer(pair):
    questioner, answerer = pair()
    page = answerer.page
    script, held, asked = page.evaluate(SCRIPT), [], []
    page.on("request", lambda request: asked.append(request.url) if "hx-request" in request.headers else None)
    page.route(NOW, lambda route: held.append(route), times=1)
    with page.expect_request(NOW):
        questioner.ask("Who is Pip?").waiting()
    page.evaluate(POKE, script)
    page.evaluate(POKE, script)
    page.evaluate("() => new Promise((done) => setTimeout(done, 500))")
    assert len(asked) == 1
    with page.expect_response(NOW):  # what was said meanwhile is fetched after it
        held[0].continue_()
        answerer.at("answer-1")
    assert all(NOW.search(url) for url in asked)


def test_an_exchange_of_the_live_part_moves_neither_focus_nor_draft(pair):
    questioner, _ = pair()
    page = questioner.page
    page.keyboard.type("Who is")

    def later(route):
        answer = route.fetch()
        more = '<p data-said="q9">Somebody spoke.</p></section>'
        route.fulfill(response=answer, body=answer.text().replace("</section>", more))

    page.route(NOW, later)
    page.evaluate(POKE, page.evaluate(SCRIPT))
    expect(page.locator("#live [data-said]")).to_have_text("Somebody spoke.")
    expect(page.locator("[data-live]")).to_have_text("Your partner: Somebody spoke.")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type(" Pip?")
    expect(page.locator("#text")).to_have_value("Who is Pip?")


def test_a_partner_who_leaves_ends_the_wait(pair):
    questioner, answerer = pair()
    questioner.press("Alt+s")
    questioner.page.get_by_role("button", name="Leave", exact=True).last.click()
    questioner.page.get_by_text("You have left.").wait_for()
    answerer.page.get_by_role("heading", name="Your partner has left").wait_for()


def test_who_has_to_sign_in_again_is_said_to_do_so(pair):
    questioner, answerer = pair()
    does = answerer.page.locator("[data-partner-does]")
    questioner.page.context.clear_cookies(name="goldfinch_session")
    expect(does).to_have_text("Your partner is signing in again …", timeout=30_000)
