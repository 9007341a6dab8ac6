"""A conversation about a Chinese passage, from the import to a release that the official metrics read."""

from __future__ import annotations

import gzip
import json

import pytest
from playwright.sync_api import expect

from tests.browser.coqa.desk import TalkDesk
from tests.browser.coqa.playing import end
from tests.browser.hour.people import Invited, Lead
from tests.builders import write_lines
from tests.texts.languages import STORIES
from tests.waiting.settled import keys

STORY = STORIES["zh"].text
TALK = "Talk about a passage"
TURNS = (
    ("灯塔是哪一年建的？", "1871年", "1871年"),
    ("它在什么地方？", "离港口三公里的一块礁石上", "一块礁石上"),
    ("谁去点灯？", "林秀英", "林秀英"),
    ("她要爬多少级？", "一百一十九级台阶", "一百一十九级"),
    ("那天夜里有几艘船经过？", "七艘船", "七艘"),
    ("水手们什么时候才看得见？", "直到1912年换上了新透镜", "1912年以后"),
    ("塔里养了什么动物？", "一只黑猫", "一只黑猫"),
    ("它叫什么？", "小墨", "小墨"),
    ("它跟着什么来的？", "送煤的小船", "小船"),
    ("它最后走了吗？", "小墨却留了下来", "没有，它留了下来"),
)
"""Question, rationale, answer."""


@pytest.mark.in_test_all(
    shown_by="tests/browser/hour/test_leads_hour.py"
    "::test_a_lead_and_two_invited_people_make_two_releases_without_a_shell"
)
def test_a_conversation_in_chinese_is_held_released_and_scored(empty, window, tmp_path):
    site, code = empty
    lead = Lead(window(), code)
    slug = lead.makes("CoQA", "海湾灯塔 Lighthouse")
    line = {"id": "lighthouse", "domain": "mctest", "filename": "lighthouse.txt", "story": STORY}
    lead.imports(write_lines(tmp_path / "dev-passages.jsonl", [line]))
    lead.opens(TALK)
    lead.opens("Guess the answers")
    people = [Invited(window(), name) for name in ("ada", "ben")]
    for person, link in zip(people, lead.invites("Ada", "Ben"), strict=True):
        person.joins(link)
    for person in people:
        person.begins(TALK)
    for person in people:
        person.page.get_by_role("button", name="I’m here").click()
    questioner, answerer = seated(site, people)
    for turn, (question, rationale, text) in enumerate(TURNS, start=1):
        questioner.at(f"question-{turn}").ask(question).waiting()
        answerer.at(f"answer-{turn}")
        expect(answerer.page.locator("h1")).to_have_text(question)
        mark(answerer, rationale)
        answerer.page.locator("#text").fill(text)
        answerer.press("Control+Enter").waiting()
    end(questioner, answerer, turn=len(TURNS) + 1)
    for name in ("cleo", "dora", "edda"):
        played = f"talk.play({slug!r}, {name!r}, {STORY!r}, {TURNS!r})"
        site.manage("shell", "-c", f"from tests.browser.coqa import talk; {played}")

    packed = lead.releases(splits=1, into=tmp_path)
    gold = tmp_path / "gold.json"
    gold.write_bytes(gzip.decompress(packed.read_bytes()) if packed.suffix == ".gz" else packed.read_bytes())
    [talk] = json.loads(gold.read_bytes())["data"]
    assert talk["story"] == STORY
    assert [row["input_text"] for row in talk["questions"]] == [question for question, _, _ in TURNS]
    assert [row["span_text"] for row in talk["answers"]] == [rationale for _, rationale, _ in TURNS]
    assert all(STORY[row["span_start"] : row["span_end"]] == row["span_text"] for row in talk["answers"])
    predicted = [
        {"id": talk["id"], "turn_id": number, "answer": text} for number, (_, _, text) in enumerate(TURNS, start=1)
    ]
    predictions = tmp_path / "predictions.json"
    predictions.write_text(json.dumps(predicted))
    scores = json.loads(site.manage("score", "coqa", "--gold", str(gold), "--predictions", str(predictions)))
    assert (scores["overall"]["em"], scores["overall"]["f1"]) == (100.0, 100.0)


def seated(site, people) -> tuple[TalkDesk, TalkDesk]:
    """The questioner and the answerer, whichever of the two each is."""
    desks = [TalkDesk(site, person.page, person.name) for person in people]
    for desk in desks:
        desk.page.wait_for_url("**/work/*/")
        desk.page.locator("#screen[data-started]").wait_for()
    first, second = desks
    return (second, first) if first.page.locator("#screen[data-waits]").count() else (first, second)


def mark(answerer: TalkDesk, words: str) -> None:
    """Mark exactly these words, some of which are parts of what a dictionary takes for a word."""
    keys(answerer.page).down("Alt")
    answerer.drag(words)
    keys(answerer.page).up("Alt")
    expect(answerer.page.locator("[data-pending-words]")).to_have_text(words)
    answerer.page.get_by_role("button", name="Use as rationale").click()
    expect(answerer.page.locator("#text")).to_have_value(words)
