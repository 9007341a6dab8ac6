"""No test waits a fixed time, and pages say when they are at rest: nothing is red or green by chance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[3]
TESTS = sorted(path for path in (CHECKOUT / "tests").rglob("*.py") if "bench" not in path.relative_to(CHECKOUT).parts)
SCRIPTS = sorted(
    path
    for folder in ("frontend/static/goldfinch", "annotation/protocols")
    for path in (CHECKOUT / folder).rglob("*.js")
    if path.name not in ("settled.js", "ticker.js")
)
MAY = {
    "tests/waiting/polling.py": ["time.sleep(EVERY)"],  # for what another process or thread does
    "tests/frontend/server/server_rig.py": ["await asyncio.sleep(0)"],  # lets the server's loop go on
    "tests/waiting/settled.py": ["self.page.keyboard."],
    # Hostile frames say nothing of themselves, and a payload may use a timer: each gets time for that.
    "tests/proofs/rigs/frames.py": ["setTimeout(done, 20)", "setTimeout(idle, left, done)"],
}
"""The files that may, and the words with which they do."""
WAYS = {
    "waits a fixed time": r"wait_for_timeout\(|\bsleep\(|setTimeout\(\s*\w+\s*,",
    "presses a key before the page is at rest": r"\.keyboard\.",
    "changes Playwright": r"^\s*(Page|Locator|Keyboard|Mouse|Frame|BrowserContext|Browser|LocatorAssertions)\.\w+ = ",
}
FROM_SETTLED = re.compile(r'^import \{ ([\w, ]+) \} from "[./\w]*/settled\.js";$', re.MULTILINE)
COUNTED = re.compile(r"(?<![\w.#])(fetch|setTimeout|clearTimeout|requestAnimationFrame)\((?!\) \{)")
COMMENT = re.compile(r"(^|\s)//.*")


def name(path: Path) -> str:
    return str(path.relative_to(CHECKOUT))


def chances(source: str, allowed: Sequence[str] = ()) -> Iterator[str]:
    """What in a test's source leaves its result to chance: the number of the line and why."""
    for number, line in enumerate(source.splitlines(), start=1):
        if any(words in line for words in allowed):
            continue
        yield from (f"{number} {why}" for why, way in WAYS.items() if re.search(way, line))


def test_no_test_waits_a_fixed_time_or_changes_playwright():
    here = Path(__file__)
    found = {name(path): list(chances(path.read_text(), MAY.get(name(path), ()))) for path in TESTS if path != here}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_what_may_still_does():
    unused = [
        (path, each) for path, words in MAY.items() for each in words if each not in (CHECKOUT / path).read_text()
    ]
    assert unused == []


@pytest.mark.parametrize(
    "line",
    [
        "page.wait_for_timeout(500)",
        "time.sleep(0.5)",
        'page.evaluate("() => new Promise((done) => setTimeout(done, 500))")',
        'page.keyboard.press("n")',
        "Page.keyboard = property(later)",
    ],
)
def test_the_control_each_of_them_is_noticed(line):
    assert len(list(chances(line))) == 1


def uncounted(script: str) -> set[str]:
    """The requests and timers of a module that `data-settled` does not know of."""
    code = COMMENT.sub("", script)
    taken = {word for found in FROM_SETTLED.findall(code) for word in found.split(", ")}
    return set(COUNTED.findall(code)) - taken


def test_every_request_and_timer_of_a_page_counts_until_it_is_at_rest():
    found = {name(path): uncounted(path.read_text()) for path in SCRIPTS}
    assert {path: words for path, words in found.items() if words} == {}
    assert len(SCRIPTS) > 50


def test_the_control_a_request_of_ones_own_is_noticed():
    assert uncounted('import { setTimeout } from "./settled.js";\nawait fetch(url); setTimeout(run, 5);') == {"fetch"}
    assert uncounted("  async fetch() {\n    this.fetch();") == set()
