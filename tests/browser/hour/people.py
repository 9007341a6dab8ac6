"""What a lead and the people whom they invite do in the browser, from the empty site to a release."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.waiting.settled import keys, ready

PASSWORD = "a few easy words"
BY_A_JOB = 60_000
"""Milliseconds that an import or a release may take on a busy machine."""
COUNTING = """
addEventListener("pointerdown", ({ isTrusted }) => {
  if (isTrusted && window === top) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, { capture: true });
"""
"""Counts, in each page of a tab, what its mouse presses; what Enter presses is no click."""


def _account(page: Page, name: str) -> None:
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)


class Lead:
    """The first person on the site, who makes its first account, and then leads all that is made.

    Sends a form by Enter or Ctrl+Enter where the focus lets one, and presses all else with the mouse.
    """

    def __init__(self, page: Page, code: str) -> None:
        self.page = page
        self._chosen = 0
        page.add_init_script(COUNTING)
        page.goto("/")
        page.get_by_label("Code").fill(code)
        _account(page, "lena")
        keys(page).press("Enter")
        expect(page.get_by_role("link", name="Make a project")).to_be_visible()

    def clicks(self) -> int:
        """How many there were until now, as docs/leads.md counts them: choosing a file is two."""
        return self.page.evaluate("Number(sessionStorage.clicks ?? 0)") + self._chosen

    def makes(self, protocol: str, title: str) -> str:
        """A project, by the four steps; ends at its board. Returns its slug."""
        page = self.page
        page.goto("/")
        page.get_by_role("link", name="Make a project").or_(page.get_by_role("link", name="New project")).first.click()
        page.get_by_role("radio", name=protocol).check()
        keys(page).press("Enter")
        page.get_by_label("Title").fill(title)
        keys(page).press("Enter")
        for heading in ("How many people, how long, which rules", "Ready to make"):
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
            keys(page).press("Control+Enter")
        expect(page.get_by_role("heading", name=f"{title} is ready, and empty")).to_be_visible()
        return page.url.rstrip("/").rsplit("/", 1)[-1]

    def imports(self, file: Path, *, refused: Path | None = None, because: str = "") -> None:
        """A file, from the empty board; ends at the queues, where the import leads. `refused` was tried before."""
        page = self.page
        page.get_by_role("link", name="Import a file").click()
        if refused:
            self._uploads(refused)
            expect(page.get_by_text(because)).to_be_visible(timeout=BY_A_JOB)
            page.get_by_role("link", name="Upload it again").click()
        self._uploads(file)
        expect(page.get_by_role("heading", name=f"Imported {file.name}")).to_be_visible(timeout=BY_A_JOB)
        page.get_by_role("link", name="Open a queue").click()

    def _uploads(self, file: Path) -> None:
        with self.page.expect_file_chooser() as asked:
            self.page.get_by_label("File", exact=True).click()
        asked.value.set_files(file)
        self._chosen += 1  # in the window of the operating system
        self.page.get_by_role("button", name="Upload and import").click()

    def opens(self, title: str) -> None:
        """A queue."""
        self.page.get_by_role("button", name=re.compile(f"^Open ?: {title}$")).click()
        expect(self.page.get_by_text(f"{title}: Open.")).to_be_visible()

    def invites(self, *names: str) -> list[str]:
        """A link for each."""
        page = self.page
        page.get_by_role("link", name="People", exact=True).click()
        page.get_by_label("Whom, one on each line").click()
        keys(page).type("\n".join(names))
        keys(page).press("Control+Enter")
        links = []
        for row in [page.get_by_role("listitem").filter(has=page.get_by_role("textbox", name=name)) for name in names]:
            row.get_by_role("button", name="Copy").click()
            links.append(row.get_by_role("textbox").input_value())
        return links

    def replaces(self, question: str, *, why: str) -> None:
        """The only answer to it, which is no good, by somebody else's."""
        page = self.page
        page.get_by_role("link", name="Items", exact=True).click()
        page.get_by_role("link", name=question).click()
        page.get_by_role("button", name="Replace…").click()
        dialog = page.get_by_role("dialog", name="Replace this annotation by another?")
        dialog.get_by_role("textbox").fill(why)
        dialog.get_by_role("button", name="Replace").click()
        expect(page.get_by_role("button", name="Undo")).to_be_visible()

    def releases(self, *, splits: int, into: Path) -> Path:
        """What is finished, in the protocol's first format; the file that was downloaded."""
        page = self.page
        page.get_by_role("link", name="Releases", exact=True).click()
        page.get_by_role("link", name="See what the first would contain").click()
        expect(page.locator("#preview table").first.locator("tbody tr")).to_have_count(splits, timeout=BY_A_JOB)
        page.get_by_role("button", name="Build this release").click()
        expect(page.get_by_role("heading", name="Release 1")).to_be_visible(timeout=BY_A_JOB)
        with page.expect_download() as download:
            page.get_by_role("table").get_by_role("link", name="Download").first.click()
        path = into / download.value.suggested_filename
        download.value.save_as(path)
        return path


class Invited:
    """Somebody who comes with a link."""

    def __init__(self, page: Page, name: str) -> None:
        self.page, self.name = page, name

    def joins(self, link: str) -> Invited:
        """Led by nothing but the buttons from one page to the next; with the account, if they have one already."""
        page = self.page
        page.goto(link)
        again = page.get_by_role("button", name="Join with this account")
        made = page.get_by_role("button", name="Make my account and join")
        expect(again.or_(made)).to_be_visible()
        if made.is_visible():
            _account(page, self.name)
        again.or_(made).click()
        page.get_by_role("button", name="I agree").click()
        return self

    def begins(self, title: str) -> Invited:
        """From the guidelines to the first screen of the work with this title, or to its search."""
        name, page = f"Begin: {title}", self.page
        page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).click()
        return self

    def at(self, stage: str) -> Invited:
        """Wait for the screen of a stage, ready for keys, and for its frame if it has one."""
        self.page.locator(f"#screen[data-stage='{stage}'][data-started]").wait_for()
        ready(self.page)
        return self

    def press(self, *names: str) -> Invited:
        """Press keys, one after another."""
        keys(self.page).press(*names)
        return self
