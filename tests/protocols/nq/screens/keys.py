"""Opens a stage of NQ in a browser, for the tests that run at every stage."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.desk import Desk
from tests.site import Site


def opened(site: Site, page: Page, stage: str) -> None:
    """An NQ question, up to that stage."""
    desk = Desk(site, page, f"keys-{stage}").sign_in().begin()
    if stage != "question":
        desk.good()
    if stage == "short_answer":
        desk.choose("Anna Berg").press("Control+Enter").at("short_answer")


OPENED = dict.fromkeys(("question", "long_answer", "short_answer"), opened)
