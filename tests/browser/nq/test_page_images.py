"""In Chromium an image beside a page is painted in the sandboxed frame, shifts nothing, and contacts no other host."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.builders import PAGE, questions, write_lines
from tests.pictures import png

SLUG = "reef-desk"
WITH_IMAGES = PAGE.replace(
    "<p>The first", '<p><img src="pictures/reef.png" width="220" alt="The reef"> The first'
).replace(
    "<li>Anna",
    '<li><img src="pictures/reef.png" alt="Anna"> <img src="http://127.0.0.1:9/far.png" alt="Far away">'
    '<img src="gone.png" alt="Not here"> Anna',
)
PAINTED = "image => image.decode().then(() => [image.naturalWidth, image.width, image.height])"


class ReefDesk(Desk):
    """Somebody at the questions whose page came with an image."""

    slug = SLUG

    def __init__(self, site, page, name):
        super().__init__(site, page, name)
        self.asked: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        self.said: list[str] = []
        page.on("console", lambda message: self.said.append(message.text))

    def furnish(self, site):
        folder = site.folder / "reef"
        if not folder.exists():
            (folder / "pictures").mkdir(parents=True)
            (folder / "pictures/reef.png").write_bytes(png(440, 300))
            file = write_lines(folder / "questions.jsonl", questions(6, start=900, page=WITH_IMAGES))
            site.manage("create_project", SLUG, "--protocol", "nq", "--title", "Reef questions")
            site.manage("import_items", SLUG, str(file))
            site.manage("open_queue", SLUG)


@pytest.fixture
def rosa(site, page):
    return ReefDesk(site, page, "rosa").take_up()


@pytest.fixture
def slow_rita(site, page):
    """Rita's connection holds images back until told otherwise."""
    desk = ReefDesk(site, page, "rita")
    desk.held = []
    page.route("**/picture/**", lambda route: desk.held.append(route))
    return desk.take_up()


def test_the_image_is_painted_in_the_page_and_in_the_box_and_no_other_host_is_contacted(rosa):
    assert not [address for address in rosa.asked if "/picture/" in address]
    rosa.good()
    images = rosa.frame.locator("img")
    expect(images).to_have_count(2)
    assert images.first.evaluate(PAINTED) == [440, 220, 150]
    expect(images.first).to_have_attribute("alt", "The reef")
    expect(rosa.frame.locator("[aria-label='Not here']")).to_be_visible()
    rosa.choose("Anna Berg came").press("Control+Enter").at("short_answer")
    assert rosa.frame.locator("img").first.evaluate(PAINTED)[0] == 440
    assert {address.split("/")[2] for address in rosa.asked if address.startswith("http")} == {
        rosa.site.url.split("/")[2]
    }
    assert not [text for text in rosa.said if "Content Security Policy" in text or "Refused" in text]


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_page_images.py"
    "::test_the_image_is_painted_in_the_page_and_in_the_box_and_no_other_host_is_contacted"
)
def test_nothing_shifts_when_the_image_arrives(slow_rita):
    slow_rita.good()
    heading = slow_rita.frame.locator("h2", has_text="Keepers")
    before = heading.bounding_box()
    assert slow_rita.held, "the image was asked for"
    for route in slow_rita.held:
        route.continue_()
    assert slow_rita.frame.locator("img").first.evaluate(PAINTED)[0] == 440
    assert heading.bounding_box() == before


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_mouse.py::test_a_question_is_answered_by_clicks_and_a_drag")
def test_words_beside_an_image_can_be_marked_as_usual(site, page):
    desk = ReefDesk(site, page, "rene").take_up().good()
    desk.choose("Anna Berg came").press("Control+Enter").at("short_answer")
    desk.press("s", "Shift+ArrowRight", "Enter", "Escape")
    page.locator("[data-spans] li").wait_for(state="attached")
    desk.press("Control+Enter").at("question")
    spans = desk.answers()[-1]["spans"]
    assert json.dumps([span["quote"] for span in spans]) == '["Anna Berg"]'
