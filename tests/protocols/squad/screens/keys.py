"""Open a stage of SQuAD in a browser, for tests that apply to every stage."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.squad.desk import ParagraphDesk
from tests.site import Site


def opened(site: Site, page: Page, stage: str) -> None:
    """A paragraph to be asked about, or a question to be answered."""
    ParagraphDesk(site, page, f"keys-{stage}", {"questions": "ask", "answer": "answer"}[stage]).begin()


OPENED = dict.fromkeys(("questions", "answer"), opened)
