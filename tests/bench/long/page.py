"""A page of 1 MB in the work screen: the time from "good" to the page, and from a key or a drag to its mark.

Times are taken in Chromium by the page's own clock, in ms, over several claims of different questions about the page.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path
from random import Random

from playwright.sync_api import Page, sync_playwright

from tests.bench.long.guidelines import begin, open_guidelines
from tests.chromium import launch_options
from tests.site import Site

ROUNDS = 7
WORDS = ("harbour", "light", "keeper", "tower", "lens", "winter", "reef", "signal", "lantern", "storm", "tide", "pilot")


def long_page(size: int = 1_000_000) -> str:
    """Headings, paragraphs, nested lists and tables of seeded words with links, `size` bytes or slightly more."""
    rng = Random("long page")

    def word() -> str:
        found = rng.choice(WORDS)
        return (
            f'<a href="/wiki/{found.title()}_(sea)" title="{found.title()} (sea)">{found}</a>'
            if rng.random() < 0.4
            else found
        )

    def sentence(length: int) -> str:
        return " ".join(word() for _ in range(length)) + "."

    parts, length, number = ['<!DOCTYPE html><html lang="en"><head><title>Long</title></head><body><h1>Long</h1>'], 0, 0
    while length < size:
        number += 1
        rows = "".join(f"<tr><th>{sentence(2)}</th><td>{sentence(6)}</td></tr>" for _ in range(6))
        items = "".join(f"<li>{sentence(9)}<ul><li>{sentence(7)}</li></ul></li>" for _ in range(4))
        text = "".join(f"<p>{' '.join(sentence(rng.randint(8, 24)) for _ in range(8))}</p>" for _ in range(4))
        part = f"<h2>Part {number}</h2>{text}<ul>{items}</ul><table>{rows}</table>"
        parts.append(part)
        length += len(part)
    return "".join(parts) + "</body></html>"


def prepared(folder: Path) -> tuple[Site, str]:
    """A served project of questions about the long page, and the annotator's password."""
    site = Site(folder).prepare()
    (folder / "long.html").write_text(long_page())
    lines = [{"question_text": f"question number {n}", "document_file": "long.html"} for n in range(ROUNDS + 1)]
    (folder / "items.jsonl").write_text("".join(json.dumps(line | {"split": "train"}) + "\n" for line in lines))
    site.manage("create_project", "long", "--protocol", "nq")
    password = site.manage("add_member", "long", "alice", "--role", "annotator").split()[-1]
    site.manage("import_items", "long", str(folder / "items.jsonl"))
    site.manage("open_queue", "long")
    return site.start(), password


def one_round(page: Page) -> dict[str, float]:
    """From "good" to the visible page, then twenty steps and one choice by key; ends with "no answer"."""
    page.locator("#screen[data-stage='question'][data-started]").wait_for()
    page.keyboard.press("g")
    begun = time.perf_counter()
    page.keyboard.press("Control+Enter")
    frame = page.frame_locator("iframe")
    frame.locator("#page[data-ready]").wait_for()
    opened = (time.perf_counter() - begun) * 1000
    document = page.locator("iframe").element_handle().content_frame()
    steps = []
    for _ in range(20):
        begun = time.perf_counter()
        page.keyboard.press("j")
        # After two frames of the inner page, the mark of the step has been painted.
        document.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        steps.append((time.perf_counter() - begun) * 1000)
    page.keyboard.press("n")
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    page.locator("#screen[data-stage='question'][data-started]").wait_for()
    return {"opened": opened, "step_median": statistics.median(steps), "step_worst": max(steps)}


def measure_all() -> dict[str, object]:
    """Medians over the rounds, without the first, which renders the page and fills the caches."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site, password = prepared(Path(folder))
        try:
            browser = playwright.chromium.launch(**launch_options())
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            open_guidelines(page, site, password)
            begin(page)
            rounds = [one_round(page) for _ in range(ROUNDS)]
            browser.close()
        finally:
            site.stop()
    later = rounds[1:]
    return {
        "page_bytes": len(long_page()),
        "rounds": ROUNDS,
        "first_opened_ms": round(rounds[0]["opened"]),
        "opened_ms": round(statistics.median(r["opened"] for r in later)),
        "opened_worst_ms": round(max(r["opened"] for r in later)),
        "step_ms": round(statistics.median(r["step_median"] for r in later), 1),
        "step_worst_ms": round(max(r["step_worst"] for r in later), 1),
    }
