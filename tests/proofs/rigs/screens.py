"""What people do on their screens in a schedule before anything is sent: they look, write, and continue elsewhere."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from annotation.engine.drafts import check_tab
from annotation.errors import Refused, TakenOver
from frontend import access
from tasks.engine import leases, submitting, tabs
from tasks.models import Assignment
from tests.builders import reload
from tests.people import NOON
from tests.proofs.rigs import commit_oracle
from tests.proofs.rigs.open_pages import Page, opened

RECENT = 8
"""How many of the most recently opened pages may still act."""
NUMBER, PERSON, ANSWER = st.integers(0, RECENT - 1), st.integers(0, 2), st.integers(0, 1)


class Screens(RuleBasedStateMachine):
    """The opened pages, what was typed into them, and the current time.

    A subclass names two possible answers for each stage; `met` counts what happened, over all schedules.
    """

    answers: ClassVar[dict[str, tuple[dict[str, Any], dict[str, Any]]]]
    met: ClassVar[Counter[str]]

    def __init__(self) -> None:
        super().__init__()
        self.now: datetime = NOON
        self.pages: list[Page] = []
        self.typed: dict[tuple[int, str], dict[str, Any]] = {}

    def page(self, number: int, *, accepted: bool | None = None) -> Page | None:
        """One of those opened last, of all or of those whose answer was accepted (or not)."""
        found = [page for page in self.pages if accepted in (None, page.accepted)][-RECENT:]
        return found[-1 - number % len(found)] if found else None

    def open_page(self, row: Assignment, answer: int) -> Page | None:
        """GET: what a person sees who opens this work now, and what they will answer; None if it is closed."""
        if (page := opened(row, self.answers, answer)) is not None:
            self.pages.append(page)
        return page

    @rule(number=NUMBER, answer=ANSWER)
    def look_again(self, number: int, answer: int) -> None:
        if (page := self.page(number)) is not None:
            self.open_page(page.assignment, answer)

    @rule(number=NUMBER)
    def draft(self, number: int) -> None:
        if (page := self.page(number)) is not None:
            self.write(page)

    def write(self, page: Page) -> None:
        """The page saves a draft; judge the outcome."""
        row = reload(page.assignment)
        may = commit_oracle.may_save(row, page.stage, tab=page.tab, seen=page.seen)
        page.seq += 1
        data = {"text": f"{page.tab.client}: {page.seq}"}
        how = "draft"
        try:
            submitting.save_draft(
                row, page.stage, data, by=row.annotator, tab=page.tab, seq=page.seq, seen=page.seen, now=self.now
            )
        except Refused as refused:
            how = f"draft: {type(refused).__name__}"
        self.met[how] += 1
        assert may or how != "draft", "a draft was saved over what its page does not know"
        assert not may or how == "draft", f"a draft was refused, though nobody had been faster: {how}"
        if may:
            self.typed[row.annotation_id, page.stage] = data

    @rule(number=NUMBER)
    def extend(self, number: int) -> None:
        if (page := self.page(number)) is not None:
            self.start_the_clock_anew(page)

    def start_the_clock_anew(self, page: Page) -> None:
        """The page reports input; judge the outcome."""
        row = reload(page.assignment)
        if not access.in_hand(row):
            return
        ended = row.lease.closed_at is not None
        try:
            check_tab(row.client, page.tab)
        except TakenOver:
            assert not commit_oracle.counts(row, page.tab), "no newer page counts, and the clock was not started anew"
            self.met["extend: TakenOver"] += 1
            return
        assert commit_oracle.counts(row, page.tab), "an older page has started the clock anew"
        until = leases.renew(row.lease, now=self.now)
        assert (until is None) == ended == (reload(row).lease.closed_at is not None), "a lease that ended goes on"
        self.met["extend: too late" if ended else "extend"] += 1

    @rule(number=NUMBER, answer=ANSWER, back=st.booleans(), writes=st.booleans())
    def go_on_elsewhere(self, number: int, answer: int, back: bool, writes: bool) -> None:
        """Work begun here is opened in another tab or on another device, and this page acts again.

        Or it takes the work back, and the other one acts.
        """
        if (here := self.page(number, accepted=False)) is None:
            return
        self.write(here)
        if (there := self.open_page(here.assignment, answer)) is None:
            return
        self.take_over(there)
        if back:
            self.take_over(here)
        (self.write if writes else self.start_the_clock_anew)(there if back else here)

    def take_over(self, page: Page) -> None:
        """The page was opened, or has taken the work back: it counts from now on."""
        row = reload(page.assignment)
        if not access.in_hand(row):
            return
        was = row.client
        tabs.take_over(row, client=page.tab.client, by=row.annotator, now=self.now)
        assert reload(row).client == page.tab.client, "the page that took over does not count"
        leases.renew(row.lease, now=self.now)
        self.met["opened" if was in (None, page.tab.client) else "taken over"] += 1
