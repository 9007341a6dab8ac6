"""A paragraph at the limit, 160,000 words, in the work screen: the time until it can be read, and of marking in it.

Times are taken in Chromium, in ms: from the click that opens it until the screen handles keys and two more frames have
been drawn; what the scripts do at a click on a word, at a drag and at a key; and from the click to the frame after it.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path
from random import Random

from playwright.sync_api import Page, sync_playwright

from tests.bench.long.guidelines import begin, open_guidelines
from tests.bench.long.paper import FRAMES, WORDS
from tests.chromium import launch_options
from tests.site import Site
from tests.waiting.settled import ready

WORDS_OF_TEXT, PLACES = 160_000, 21
CLICK = """(share) => {
  const [box, element] = [document.querySelector("#material"), document.querySelector("[data-passage]")];
  box.scrollTop = (box.scrollHeight - box.clientHeight) * share;
  const around = box.getBoundingClientRect();
  const how = { bubbles: true, clientX: around.left + around.width / 2, clientY: around.top + around.height / 2 };
  document.caretPositionFromPoint(how.clientX, how.clientY); // the layout after the scrolling is not the click's
  const begun = performance.now();
  element.dispatchEvent(new MouseEvent("click", how));
  const handled = performance.now() - begun;
  return new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done([handled, performance.now() - begun])));
  });
}"""
DRAG = """() => {
  const element = document.querySelector("[data-passage]");
  const middle = Math.floor(element.firstChild.length / 2);
  getSelection().setBaseAndExtent(element.firstChild, middle, element.firstChild, middle + 40);
  const begun = performance.now();
  element.dispatchEvent(new MouseEvent("mouseup", { bubbles: true, detail: 1 }));
  return performance.now() - begun;
}"""
KEY = """(key) => {
  const begun = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  return performance.now() - begun;
}"""


def paragraph() -> str:
    """Sentences of 12 to 28 words."""
    rng, sentences, count = Random("long paragraph"), [], 0
    while count < WORDS_OF_TEXT:
        size = min(rng.randint(12, 28), WORDS_OF_TEXT - count)
        sentences.append(" ".join(rng.choice(WORDS)[:5] for _ in range(size)).capitalize() + ".")
        count += size
    return " ".join(sentences)


def measure_all() -> dict[str, object]:
    """Medians and the worst of one visit."""
    text = paragraph()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        site, password = _prepared(Path(name), text)
        try:
            browser = playwright.chromium.launch(**launch_options())
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            opened = _opened(page, site, password)
            clicks = [page.evaluate(CLICK, place / (PLACES - 1)) for place in range(PLACES)]
            drag = page.evaluate(DRAG)
            page.keyboard.press("Escape")
            page.locator("#material").focus()
            entered = page.evaluate(KEY, "s")
            ready(page)
            arrows = [page.evaluate(KEY, "ArrowRight") for _ in range(PLACES)]
            browser.close()
        finally:
            site.stop()
    return {
        "words": WORDS_OF_TEXT,
        "characters": len(text),
        "opened_ms": round(opened),
        "click_ms": round(statistics.median(handled for handled, _ in clicks), 1),
        "click_worst_ms": round(max(handled for handled, _ in clicks), 1),
        "click_to_frame_ms": round(statistics.median(frame for _, frame in clicks), 1),
        "drag_ms": round(drag, 1),
        "select_mode_ms": round(entered, 1),
        "arrow_ms": round(statistics.median(arrows), 1),
    }


def _prepared(folder: Path, text: str) -> tuple[Site, str]:
    """A served project with the paragraph, and the annotator's password."""
    site = Site(folder).prepare()
    qas = [{"question": "Who kept the light?", "id": "1", "answers": []}]
    article = {"title": "Lights", "paragraphs": [{"context": text, "qas": qas}]}
    (folder / "dev.json").write_text(json.dumps({"version": "1.1", "data": [article]}))
    site.manage("create_project", "long", "--protocol", "squad")
    password = site.manage("add_member", "long", "alice", "--role", "annotator").split()[-1]
    site.manage("import_items", "long", str(folder / "dev.json"))
    site.manage("open_queue", "long", "--activity", "answer")
    return site.start(), password


def _opened(page: Page, site: Site, password: str) -> float:
    """Claim the question from the guidelines; the ms that it took."""
    open_guidelines(page, site, password)
    begin(page)
    page.locator("#screen[data-started]").wait_for()
    took: float = page.evaluate(FRAMES)
    ready(page)
    return took


if __name__ == "__main__":
    print(json.dumps(measure_all(), indent=2))
