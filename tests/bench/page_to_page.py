"""Conversations in two pages of Chromium, for `tests.bench.pokes`: `python -m tests.bench.page_to_page FOLDER`.

The folder is that of a prepared site, in whose environment this runs. Prints a JSON list: ms from the key that sends
until the partner's page shows the words, by the clock that both pages and this process share. The first conversation
warms everything up and does not count.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import django
from playwright.sync_api import Page, sync_playwright

from tests import signed_in
from tests.chromium import launch_options
from tests.site import Site

ROUNDS = 5
SEEN = """(words) => {
  window.seen = new Promise((resolve) => {
    const look = () => [...document.querySelectorAll("h1, [data-said]")]
      .some((each) => each.textContent.includes(words)) && resolve(Date.now());
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
}"""


def sends(sender: Page, receiver: Page, words: str) -> float:
    """Send the form; ms until the other page shows these words."""
    receiver.evaluate(SEEN, words)
    begun = time.time() * 1000
    sender.keyboard.press("Control+Enter")
    return receiver.evaluate("() => window.seen") - begun


def measure(site: Site) -> list[float]:
    """Conversations of eleven turns, one after another."""
    from tests.browser.coqa.desk import TALK, TalkDesk, furnish, seat

    took = []
    furnish(site, "talks")
    site.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for number in range(ROUNDS):
            names = [f"quinn-{number}", f"anna-{number}"]
            for name in names:
                signed_in.join(site, "talks", name)
            desks = []
            for name, path in zip(names, seat(site, "talks", *names), strict=True):
                page = browser.new_context(base_url=site.url).new_page()
                signed_in.sign_in(site, page, name)
                page.goto(path)
                desks.append(TalkDesk(site, page, name))
            questioner, answerer = desks
            for turn, (question, rationale, text) in enumerate(TALK, start=1):
                questioner.at(f"question-{turn}").page.locator("#text").fill(question)
                took.append((number, sends(questioner.page, answerer.page, question)))
                answerer.at(f"answer-{turn}").say(rationale, text)
                took.append((number, sends(answerer.page, questioner.page, text)))
            for desk in desks:
                desk.page.context.close()
        browser.close()
    site.stop()
    return [ms for number, ms in took if number]


if __name__ == "__main__":
    django.setup()
    print(json.dumps(measure(Site(Path(sys.argv[1])))))
