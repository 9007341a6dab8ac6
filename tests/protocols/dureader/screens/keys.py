"""Open a stage of DuReader in a browser, for tests that apply to every stage."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.dureader.desk import DocumentsDesk
from tests.site import Site


def opened(site: Site, page: Page, stage: str) -> None:
    """A question to be told its type, or one to be answered with entities."""
    DocumentsDesk(site, page, f"keys-{stage}", {"kind": "", "answers": "ENTITY"}[stage]).begin()


OPENED = dict.fromkeys(("kind", "answers"), opened)
