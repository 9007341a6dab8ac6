"""Two people converse: with sockets and without, through cuts, restarts and reloads; then others play games."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.coqa.desk import TALK, answers
from tests.browser.coqa.listening import HERE, LOOKS, Cutter, Listening, block_sockets
from tests.browser.coqa.playing import converse, end, play
from tests.waiting.settled import keys, settled

NOW = re.compile(r"/now/$")
TWELVE = (*TALK, ("From where did it ring?", "straight ahead", "Straight ahead"))
POKES = {f'{{"poke": "{kind}"}}' for kind in ("work", "partner")}


@pytest.fixture
def talking(pair):
    """The two, and what their sockets carry from a reload on."""
    people = pair()
    listening = [Listening(desk.page) for desk in people]
    for desk in people:
        desk.page.clock.install()
        desk.page.reload()
    return people[0].at("question-1"), people[1].waiting(), *listening


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_over_a_socket.py"
    "::test_the_frames_of_either_side_never_hold_a_draft_or_a_rationale"
)
def test_while_a_socket_is_open_a_page_fetches_only_when_it_is_poked(talking):
    questioner, answerer, of_questioner, of_answerer = talking
    fetched = []
    for desk, mine in ((questioner, of_questioner), (answerer, of_answerer)):
        settled(desk.page)
        mine.until(lambda mine: HERE in mine.received)
        desk.page.on("request", lambda request: fetched.append(request.url))
    for _ in range(2):
        of_answerer.connected()
    assert [url for url in fetched if NOW.search(url)] == []
    converse(questioner, answerer, TALK[:2])
    questioner.at("question-3")
    assert of_answerer.received.count('{"poke": "work"}') >= 2
    assert of_questioner.received.count('{"poke": "work"}') >= 2


def test_the_frames_of_either_side_never_hold_a_draft_or_a_rationale(talking):
    questioner, answerer, of_questioner, of_answerer = talking
    keys(questioner.page).type("SENTINEL-QUESTION-DRAFT")
    questioner.page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    of_answerer.connected()
    questioner.page.locator("#text").fill("Who is Pip?")
    questioner.press("Control+Enter").waiting()
    answerer.at("answer-1").say("a grey cat", "SENTINEL-ANSWER-DRAFT")
    answerer.page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    of_questioner.connected()
    answerer.page.locator("#text").fill("A grey cat")
    answerer.press("Control+Enter").waiting()
    questioner.at("question-2")
    for mine in (of_questioner, of_answerer):
        mine.connected()
        assert '{"poke": "work"}' in mine.received
        assert set(mine.received) <= {HERE, *POKES}
        assert set(mine.sent) == {HERE}


def test_after_a_cut_the_page_catches_up_and_is_poked_again(pair, site):
    questioner, answerer = pair()
    cutter, mine = Cutter(answerer.page), Listening(answerer.page)
    answerer.page.clock.install()
    answerer.page.reload()
    answerer.waiting()
    answerer.page.route(NOW, lambda route: route.abort())
    cutter.cut()
    questioner.ask("Who is Pip?").waiting()
    answerer.page.unroute(NOW)
    answerer.page.clock.run_for(LOOKS)
    answerer.at("answer-1").say("a grey cat", "A grey cat").press("Control+Enter").waiting()
    mine.received.clear()
    questioner.at("question-2").ask("Did she buy tickets?").waiting()
    answerer.at("answer-2")
    assert [one["text"] for one in answers(site, answerer.name)] == ["A grey cat"]


def reloads_in_mid_rationale(answerer, rationale, text):
    """The rationale is marked, half of the answer typed and another rationale about to be marked; the tab reloads."""
    page = answerer.page
    answerer.mark(rationale)
    page.locator("#text").fill(text[:4])
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    answerer.drag("One evening in March")
    page.reload()
    answerer.at("answer-9")
    expect(page.locator("[data-spans] q")).to_have_text(rationale)
    expect(page.locator("#text")).to_have_value(text[:4])
    page.locator("#text").fill(text)


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_over_a_socket.py::test_after_a_cut_the_page_catches_up_and_is_poked_again"
)
def test_without_sockets_what_the_partner_says_comes_all_the_same(pair):
    questioner, answerer = pair()
    for desk in (questioner, answerer):
        block_sockets(desk.page)
        desk.page.reload()
    questioner.ask("Who is Pip?").waiting()
    answerer.at("answer-1").say("a grey cat", "A grey cat").press("Control+Enter").waiting()
    questioner.at("question-2")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
@pytest.mark.parametrize("sockets", ["open", "blocked"])
def test_twelve_turns_through_a_restart_a_cut_connection_and_a_reload_and_then_three_games(
    pair, newcomer, site, sockets
):
    questioner, answerer = pair()
    if sockets == "blocked":
        for desk in (questioner, answerer):
            block_sockets(desk.page)
            desk.page.reload()
    port = urlsplit(site.url).port
    converse(questioner, answerer, TWELVE[:4])
    questioner.at("question-5")
    site.stop()
    keys(questioner.page).type(TWELVE[4][0])
    site.start(port)
    questioner.press("Control+Enter").waiting()
    answerer.at("answer-5").say(*TWELVE[4][1:]).press("Control+Enter").waiting()
    converse(questioner, answerer, TWELVE[5:7], first=6)
    questioner.at("question-8")
    answerer.page.context.set_offline(True)
    questioner.ask(TWELVE[7][0]).waiting()
    expect(answerer.page.locator("[data-notice=connection]")).to_be_visible(timeout=60_000)
    answerer.page.context.set_offline(False)
    answerer.at("answer-8").say(*TWELVE[7][1:]).press("Control+Enter").waiting()
    questioner.at("question-9").ask(TWELVE[8][0]).waiting()
    reloads_in_mid_rationale(answerer.at("answer-9"), *TWELVE[8][1:])
    answerer.press("Control+Enter").waiting()
    converse(questioner, answerer, TWELVE[9:], first=10)
    questioner.at("question-13")
    assert questioner.turns() == [text for question, _, answer in TWELVE for text in (question, answer)]
    end(questioner, answerer, turn=13)
    assert [one["text"] for one in answers(site, questioner.name)[:-1]] == [question for question, _, _ in TWELVE]
    said = answers(site, answerer.name)
    assert len(said) == 13
    assert [one.get("rationale", {}).get("quote") for one in said[:-1]] == [rationale for _, rationale, _ in TWELVE]

    for wrong in (1, 2, 3):
        player = newcomer("petra")
        play(player, TWELVE, wrong=wrong)
        verdicts = [one["verdict"] for one in answers(site, player.name) if "verdict" in one]
        assert [number for number, verdict in enumerate(verdicts, start=1) if verdict == "no_match"] == [wrong]
        assert len(verdicts) == 12
