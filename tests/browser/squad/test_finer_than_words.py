"""A name before a clitic, and words of languages without spaces, are marked in each of the four ways, all alike."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.squad.desk import ParagraphDesk
from tests.waiting.settled import keys, ready

TEXTS = {
    "turkish": ("Kanunları Isaac Newton’un kitabında gördü.", "Isaac Newton"),
    "chinese": ("他在北京大学学习了四年，后来去了上海。", "学学"),
    "thai": ("ภาษาไทยเป็นภาษาที่ง่ายมาก", "ไท"),
    "emoji": ("The flags 🇩🇪🇫🇷 were hung beside 👨\u200d👩\u200d👧 at noon.", "🇫🇷"),
}


AGAIN = pytest.mark.in_test_all(
    shown_by="tests/browser/squad/test_thirty_scripts.py::test_every_way_gives_the_same_span_in_every_script"
)


def each_merge(*texts: str) -> pytest.MarkDecorator:
    """Run a test of all texts, for each merge of these."""
    others = (pytest.param(text, marks=AGAIN) for text in TEXTS if text not in texts)
    return pytest.mark.parametrize("desk", [*texts, *others], indirect=True)


@pytest.fixture(params=TEXTS)
def desk(site, page, request):
    text, words = TEXTS[request.param]
    ways = request.node.originalname.rpartition("_")[2]
    found = ParagraphDesk(site, page, f"{ways}-{request.param}", "answer", text, kind=request.param).begin()
    return found, words


def send(desk):
    """Send the answer, and return what was marked."""
    first = desk.page.locator("#screen").get_attribute("data-work")
    desk.press("Control+Enter")
    desk.page.locator(f"#screen[data-started]:not([data-work='{first}'])").wait_for()
    [answer] = desk.answers()
    return answer["span"]["quote"]


@each_merge("thai")
def test_marked_by_dragging(desk):
    desk, words = desk
    left, right, y = desk.box(words)
    keys(desk.page).down("Alt")
    desk.page.mouse.move(left + 1, y)
    desk.page.mouse.down()
    desk.page.mouse.move(right - 1, y, steps=4)
    desk.page.mouse.up()
    keys(desk.page).up("Alt")
    expect(desk.page.locator("[data-pending-words]")).to_have_text(words)
    assert send(desk) == words


@AGAIN
def test_marked_by_taps(desk):
    desk, words = desk
    desk.press("c")
    left, right, y = desk.box(words)
    for x in (left + 2, right - 2):
        ready(desk.page)
        desk.page.mouse.click(x, y)
    expect(desk.page.locator("[data-pending-words]")).to_have_text(words)
    assert send(desk) == words


@AGAIN
def test_marked_by_keys(desk):
    desk, words = desk
    text = desk.page.locator("[data-passage]").text_content()
    characters = desk.page.evaluate(
        "(text) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)", text
    )
    characters = [one for one in characters if one.strip()]
    before = characters_before(characters, text[: text.index(words)])
    inside = characters_before(characters[before:], words)
    desk.press("c", "s", *["ArrowRight"] * before, *["Shift+ArrowRight"] * (inside - 1))
    if inside == 1:
        desk.press(" ", " ")
    expect(desk.page.locator("[data-pending-words]")).to_have_text(words)
    desk.press("Enter", "Escape")
    assert send(desk) == words


def characters_before(characters, text):
    """How many of the characters make up a text, white space apart."""
    wanted, count = "".join(text.split()), 0
    while len("".join(characters[:count])) < len(wanted):
        count += 1
    return count


@AGAIN
def test_marked_by_a_quote(desk):
    desk, words = desk
    desk.page.get_by_text("Paste a quote instead").click()
    field = desk.page.get_by_label("Quote from the text")
    field.fill(words)
    field.press("Enter")
    expect(desk.page.locator("[data-pending-words]")).to_have_text(words)
    assert send(desk) == words


@AGAIN
def test_marked_by_handles(desk):
    desk, words = desk
    page = desk.page
    page.locator("[data-passage]").dblclick(position={"x": 6, "y": 12})
    page.locator(".handle").first.wait_for()
    left, right, _ = desk.box(words)
    for side, wanted in (("end", right), ("start", left)):
        ready(page)
        handle = page.locator(f".handle.{side}").bounding_box()
        middle = handle["y"] + handle["height"] / 2
        begin = handle["x"] + handle["width"] / 2
        edge = handle["x"] + (handle["width"] if side == "start" else 0)
        page.mouse.move(begin, middle)
        page.mouse.down()
        page.mouse.move(begin + wanted - edge, middle, steps=5)
        page.mouse.up()
    expect(page.locator("[data-pending-words]")).to_have_text(words)
    assert send(desk) == words
