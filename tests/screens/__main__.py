"""Screenshots of every screen, light and dark, wide and narrow, and a contact sheet: `make screens`.

Fills a temporary site with the demo and with projects for the rarer states, walks through it as its people would, and
writes build/screens/*.png and index.html; fails if a picture of the catalogue was not taken. With `--docs`
(`make pictures`) it takes the pictures of the guides instead.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from itertools import chain
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.chromium import launch_options
from tests.screens.camera import SIZES, THEMES, Camera, sign_in
from tests.screens.catalogue import NARROW, PICTURES, missing
from tests.screens.guides import take_all
from tests.screens.lobby import TOY
from tests.screens.prolific import ON
from tests.screens.visits import GROUPS, furnish_states, visits
from tests.site import CHECKOUT, Site

ANNOTATORS = {"wide": "nina", "narrow": "noor"}
"""Newcomers to the demo, one for each size, since doing work uses it up; the second is not in the demo."""


def furnish(site: Site) -> tuple[dict[str, str], dict[str, str]]:
    """Fill the site; return passwords by name, and rendered error pages by template."""
    site.manage("demo")
    passwords, rendered = furnish_states(site)
    return passwords_of_demo(site) | passwords, rendered


def passwords_of_demo(site: Site) -> dict[str, str]:
    """The passwords of those who can sign in to the demo, by name."""
    rows = (line.split() for line in (site.folder / "demo-logins.txt").read_text(encoding="utf-8").splitlines())
    return {row[0]: row[1] for row in rows}


@contextmanager
def opened() -> Iterator[Site]:
    """A temporary site, not started yet; it is stopped and removed in the end."""
    place = Path(tempfile.mkdtemp(prefix="goldfinch-screens-"))
    site = Site(place, **TOY, **ON).prepare()
    try:
        yield site
    finally:
        site.stop()
        shutil.rmtree(place, ignore_errors=True)


def contact_sheet(folder: Path) -> None:
    """One page with all pictures, a row for each screen."""
    suffixes = [f"{size}-{theme}" for size in SIZES for theme in THEMES]
    rows = "".join(
        f"<h2>{escape(name)}</h2><div>"
        + "".join(
            f'<a href="{name}-{suffix}.png"><img loading="lazy" src="{name}-{suffix}.png" alt="{suffix}"></a>'
            for suffix in suffixes
            if (folder / f"{name}-{suffix}.png").exists()
        )
        + "</div>"
        for name in [*PICTURES, *NARROW]
    )
    style = "body{font:14px sans-serif;margin:2rem;background:#888}div{display:flex;gap:1rem}img{height:22rem}"
    text = f"<!doctype html><meta charset=utf-8><title>Screens</title><style>{style}</style><h1>Screens</h1>{rows}"
    (folder / "index.html").write_text(text, encoding="utf-8")


def every_screen(folder: Path) -> list[str]:
    """Take the pictures of the catalogue; return what is missing."""
    wrong: list[str] = []
    try:
        with opened() as site, sync_playwright() as playwright:
            passwords, rendered = furnish(site)
            browser = playwright.chromium.launch(**launch_options())
            site.start()
            for size in SIZES:
                taken: list[str] = []
                visitors = [visits(each, size, rendered, annotator=ANNOTATORS[size], lead="lena") for each in GROUPS]
                for who, steps in chain.from_iterable(visitors):
                    camera = Camera(browser, site.url, size=size, folder=folder)
                    if who:
                        sign_in(camera.page, who, passwords[who])
                    for step in steps:
                        step(camera)
                    taken += camera.names
                    camera.close()
                wrong += missing(taken, size=size)
    finally:
        contact_sheet(folder)
    return wrong


def of_guides(folder: Path) -> list[str]:
    """Take the pictures of the guides; return what is missing."""
    with opened() as site, sync_playwright() as playwright:
        site.manage("demo")
        options = launch_options()
        options["args"] = [*options["args"], "--disable-lcd-text"]  # letters with edges in colours make files large
        browser = playwright.chromium.launch(**options)
        return take_all(browser, site.start().url, folder, passwords_of_demo(site))


def main() -> int:
    """Take the pictures; return 1 if some are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", action="store_true", help="the pictures of the guides, by default into docs/pictures")
    parser.add_argument("--to", type=Path, help="the folder (default: build/screens)")
    given = parser.parse_args()
    folder = given.to or CHECKOUT / ("docs/pictures" if given.docs else "build/screens")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    wrong = (of_guides if given.docs else every_screen)(folder)
    print("\n".join(wrong) or f"{folder}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
