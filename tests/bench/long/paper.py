"""A paper of 30 pages in the work screen: the time until it can be read, and the longest frame while scrolling.

Times are taken in Chromium, in ms, from the click that opens the paper, including its claim and a redirect. Painted:
its text is on the screen. Ready: the screen handles keys, and two more frames have been drawn. Frames: the paper is
scrolled from top to end in steps of a third of the screen, one per frame.
"""

from __future__ import annotations

import json
import statistics
import struct
import tempfile
import zlib
from pathlib import Path
from random import Random

from playwright.sync_api import Page, sync_playwright

from tests.bench.long.guidelines import begin, open_guidelines
from tests.chromium import launch_options
from tests.site import Site

ROUNDS, PARAGRAPHS, FLOATS, EQUATIONS = 7, 60, 20, 40
WORDS = ("harbour", "light", "keeper", "tower", "lens", "winter", "reef", "signal", "lantern", "storm", "tide", "pilot")
EQUATION = r"$L_{%d} = \sum_{i=1}^{n} \frac{\alpha_i}{\sqrt{1 + \beta^2}} \log p(x_i \mid \theta)$"

SCROLL = """() => new Promise((done) => {
  const box = document.querySelector("#material"), frames = [];
  let before = performance.now();
  box.scrollTop = 0;
  const step = (now) => {
    frames.push(now - before);
    before = now;
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - 2) return done(frames.slice(2));
    box.scrollTop += box.clientHeight / 3;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""
FRAMES = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"
)


def image(number: int) -> bytes:
    """A grey PNG of 1,200 by 600 pixels, each in another shade."""
    head = struct.pack(">IIBBBBB", 1200, 600, 8, 0, 0, 0, 0)
    parts = (
        (b"IHDR", head),
        (b"IDAT", zlib.compress((b"\0" + bytes([number * 9 % 256]) * 1200) * 600)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )


def paper() -> dict[str, object]:
    """Sixty paragraphs of some 250 words: 30 pages, with 40 equations and 20 figures and tables that they mention."""
    rng = Random("long paper")

    def sentence(number: int) -> str:
        return " ".join(rng.choice(WORDS) for _ in range(rng.randint(12, 28))).capitalize() + f" BIBREF{number}."

    paragraphs, equations = [], 0
    for place in range(PARAGRAPHS):
        parts = [sentence(place) for _ in range(12)]
        if place % 3 == 0:
            parts.insert(3, f"See Figure {place // 6 + 1}." if place % 6 == 0 else f"Table {place // 6 + 1} has it.")
        for _ in range(1 if place % 3 else 0):
            parts.insert(6, f"Here {EQUATION % equations} holds.")
            equations += 1
        paragraphs.append(" ".join(parts))
    cells = "".join(f"<tr><td>{rng.choice(WORDS)}</td>{'<td>84.2</td>' * 8}</tr>" for _ in range(12))
    floats = [
        {"file": f"{n}-Figure{n}-1.png", "caption": f"Figure {n}: {sentence(n)}"} for n in range(1, FLOATS // 2 + 1)
    ]
    floats += [
        {"file": "", "caption": f"Table {n}: {sentence(n)}", "content": f"<table>{cells}</table>"}
        for n in range(1, FLOATS // 2 + 1)
    ]
    sections = [
        {"section_name": f"Part {n // 5 + 1} ::: Lights {n + 1}", "paragraphs": paragraphs[n * 5 : n * 5 + 5]}
        for n in range(PARAGRAPHS // 5)
    ]
    questions = [{"question": f"Who kept light {n}?", "question_id": f"{n:040x}", "answers": []} for n in range(2)]
    return {
        "title": "Lights",
        "abstract": sentence(0),
        "full_text": sections,
        "figures_and_tables": floats,
        "qas": questions,
    }


def prepared(folder: Path) -> tuple[Site, str]:
    """A served project with the paper, once for each round, and the annotator's password."""
    site = Site(folder).prepare()
    found = paper()
    papers = {}
    for number in range(ROUNDS):
        asked = [one | {"question_id": f"{number}{place:039x}"} for place, one in enumerate(found["qas"])]
        papers[f"paper-{number}"] = found | {"qas": asked}
        (folder / f"paper-{number}").mkdir()
        for entry in found["figures_and_tables"]:
            if entry["file"]:
                path = folder / f"paper-{number}" / entry["file"]
                path.write_bytes(image(int(entry["file"].split("-")[0])))
    (folder / "papers.json").write_text(json.dumps(papers))
    site.manage("create_project", "long", "--protocol", "qasper")
    password = site.manage("add_member", "long", "alice", "--role", "annotator").split()[-1]
    site.manage("import_items", "long", str(folder / "papers.json"), "--split", "train")
    site.manage("open_queue", "long", "--activity", "answer")
    return site.start(), password


def one_round(page: Page, site: Site, first: bool) -> dict[str, float]:
    """Claim a paper, the first from the guidelines and others from home; scroll to its end; answer its questions."""
    if first:
        begin(page)
    else:
        page.goto(site.url)
        with page.expect_navigation(wait_until="commit"):
            page.locator("main form[action*='/answer/'] button").click()
    page.locator("#screen[data-started]").wait_for()
    opened = page.evaluate(FRAMES)
    painted = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")
    page.wait_for_load_state("networkidle")
    frames = page.evaluate(SCROLL)
    maths = page.locator("[data-passage] math").count()
    for _ in range(2):
        page.locator("#screen[data-started]").wait_for()
        page.keyboard.press("4")
        before = page.locator("h1").inner_text()
        page.keyboard.press("Control+Enter")
        page.locator("h1").filter(has_not_text=before).wait_for()
    return {
        "painted": painted,
        "opened": opened,
        "frame": max(frames),
        "median": statistics.median(frames),
        "maths": maths,
    }


def measure_all() -> dict[str, object]:
    """Medians over the rounds, without the first, which fills the caches."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        site, password = prepared(Path(name))
        try:
            browser = playwright.chromium.launch(**launch_options())
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            open_guidelines(page, site, password)
            rounds = [one_round(page, site, number == 0) for number in range(ROUNDS)]
            browser.close()
        finally:
            site.stop()
    later = rounds[1:]
    found = paper()
    text = " ".join(one for section in found["full_text"] for one in section["paragraphs"])
    return {
        "words": len(text.split()),
        "paragraphs": PARAGRAPHS,
        "figures_and_tables": len(found["figures_and_tables"]),
        "equations": rounds[0]["maths"],
        "rounds": ROUNDS,
        "first_ready_ms": round(rounds[0]["opened"]),
        "painted_ms": round(statistics.median(r["painted"] for r in later)),
        "painted_worst_ms": round(max(r["painted"] for r in later)),
        "ready_ms": round(statistics.median(r["opened"] for r in later)),
        "ready_worst_ms": round(max(r["opened"] for r in later)),
        "frame_ms": round(statistics.median(r["median"] for r in later), 1),
        "longest_frame_ms": round(statistics.median(r["frame"] for r in later), 1),
        "longest_frame_worst_ms": round(max(r["frame"] for r in later), 1),
    }
