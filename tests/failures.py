"""A pytest plugin: what a failing browser test leaves in a folder of its own under build/failures, named at the end.

Of each browser context the trace (`playwright show-trace`), of each page a picture, its HTML and its console, and what
the server has logged meanwhile. Traces have DOM snapshots if GOLDFINCH_SNAPSHOTS is set, as when a failed test is run
again: they take a sixth more processor time.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page

from tests.prepared import CHECKOUT
from tests.site import Site

FAILURES = CHECKOUT / "build" / "failures"
SNAPSHOTS = "GOLDFINCH_SNAPSHOTS"
LONGEST_NAME = 150
SITES = ("own_site", "site_of_a_few_kinds", "site_of_each_kind", "site")
"""The fixture of a test's own site, or else the one that it shares."""


@dataclass
class Evidence:
    """What the browser of this process shows: its console and how much the server had logged when the test began."""

    browser: Browser
    site: Site | None = None
    console: list[str] = field(default_factory=list)
    logged: int = 0

    def begin(self, site: Site | None) -> None:
        """Forget what belongs to an earlier test."""
        self.site, self.logged = site, _size(site)
        self.console.clear()

    def follow(self, context: BrowserContext) -> None:
        """Trace a context from now on, and read the consoles of its pages."""
        context.tracing.start(snapshots=SNAPSHOTS in os.environ)
        note = self.console.append
        context.on(
            "console", lambda message: note(f"{message.page and message.page.url} {message.type}: {message.text}")
        )
        context.on("weberror", lambda error: note(f"{error.page and error.page.url} uncaught: {error.error}"))
        context.on("requestfailed", lambda request: note(f"not answered: {request.method} {request.url}"))

    def keep(self, folder: Path) -> None:
        """Write all of it; a context that the test has closed has left its console only."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "console.txt").write_text("".join(f"{line}\n" for line in self.console), encoding="utf-8")
        if self.site is not None and self.site.log.exists():
            with self.site.log.open("rb") as log:
                log.seek(self.logged)
                (folder / "server.log").write_bytes(log.read())
        for number, context in enumerate(self.browser.contexts, start=1):
            for page_number, page in enumerate(context.pages, start=1):
                _keep_page(page, folder / f"{number}-page-{page_number}")
            _whatever_can_be_had(lambda file: context.tracing.stop(path=file), folder / f"{number}-trace.zip")  # noqa: B023


_evidence = pytest.StashKey[Evidence]()


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest, browser: Browser) -> Browser:
    """pytest-playwright's browser, each of whose contexts is traced."""
    evidence = request.config.stash[_evidence] = Evidence(browser)
    browser.on("context", evidence.follow)
    return browser


@pytest.fixture(autouse=True)
def _begin_evidence(request: pytest.FixtureRequest) -> None:
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser")
        site = next((request.getfixturevalue(name) for name in SITES if name in request.fixturenames), None)
        request.config.stash[_evidence].begin(site)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Keep the evidence as soon as a test or its set-up has failed, before anything is closed."""
    report = yield
    if report.failed and report.when != "teardown" and _evidence in item.config.stash:
        item.config.stash[_evidence].keep(folder_of(item.nodeid))
    return report


def folder_of(nodeid: str) -> Path:
    """The folder of what a test leaves."""
    words = re.sub(r"[^\w.-]+", "-", nodeid.removeprefix("tests/").replace(".py::", "/")).strip("-")
    return FAILURES / words[:LONGEST_NAME]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the folders."""
    failed = [*terminalreporter.stats.get("failed", []), *terminalreporter.stats.get("error", [])]
    for folder in sorted({folder_of(report.nodeid) for report in failed}):
        if folder.exists():
            terminalreporter.line(f"Trace, pictures, console and server log: {folder.relative_to(CHECKOUT)}")


def _keep_page(page: Page, stem: Path) -> None:
    _whatever_can_be_had(lambda file: page.screenshot(path=file, timeout=5000), stem.with_suffix(".png"))
    _whatever_can_be_had(lambda file: file.write_text(page.content(), encoding="utf-8"), stem.with_suffix(".html"))


def _whatever_can_be_had(keep: Callable[[Path], object], file: Path) -> None:
    """Write a file; a page that hangs or has crashed has none."""
    try:
        keep(file)
    except Error as error:
        file.with_suffix(f"{file.suffix}.txt").write_text(str(error), encoding="utf-8")


def _size(site: Site | None) -> int:
    return site.log.stat().st_size if site is not None and site.log.exists() else 0
