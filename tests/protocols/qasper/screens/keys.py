"""Opens a stage of QASPER in a browser, for the tests that run at every stage."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.qasper.desk import PaperDesk
from tests.site import Site


def opened(site: Site, page: Page, stage: str) -> None:
    """A card of questions, or a question of a block with the field for own words open."""
    desk = PaperDesk(site, page, f"keys-{stage}", {"questions": "ask", "answer": "answer"}[stage]).begin()
    if stage == "answer":
        desk.press("3")


OPENED = dict.fromkeys(("questions", "answer"), opened)
