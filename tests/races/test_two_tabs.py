"""In any interleaving, one of a person's tabs overwrites nothing that it has not shown."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from random import Random

import pytest

from annotation import randomness
from annotation.engine import drafts as record
from annotation.errors import AlreadyClosed, StalePage, TakenOver
from annotation.models import Response
from tasks.engine import assignments, submitting, tabs
from tests.builders import BAD, Worker, open_with, questions, reload
from tests.people import NOON
from tests.proving import size

pytestmark = pytest.mark.one_database_for_a_merge("postgresql")
REFUSALS = (TakenOver, StalePage, AlreadyClosed)
INTERLEAVINGS = size(24, 10_000)
FIRST = 0
"""The seed of the first; each has the next."""


@dataclass
class Page:
    """A page load: what it was rendered with, and the number of the last version that its person saw."""

    assignment: object
    ledger: list
    client: uuid.UUID = field(default_factory=randomness.handle)

    def open(self) -> None:
        row = reload(self.assignment)
        draft = assignments.work_of(row).draft("question")
        self.client, self.after, self.seen = randomness.handle(), row.client, assignments.work_of(row).seen
        self.base = self.seq = draft.seq if draft else 0
        self.knows = len(self.ledger)

    def take(self) -> None:
        tabs.take_over(reload(self.assignment), client=self.client, by=self.assignment.annotator, now=NOON)

    def save(self) -> None:
        self.seq += 1
        data = {"verdict": "bad", "reasons": ["opinion"], "text": f"{self.client} {self.seq}"}
        self._speak(lambda row, tab: submitting.save_draft(
            row, "question", data, by=row.annotator, tab=tab, seq=self.seq, seen=self.seen, now=NOON
        ))  # fmt: skip

    def commit(self) -> None:
        key = randomness.handle()
        self._speak(lambda row, tab: submitting.commit(
            row, "question", BAD, by=row.annotator, key=key, seen=self.seen, tab=tab, now=NOON
        ))  # fmt: skip

    def _speak(self, say) -> None:
        row = reload(self.assignment)
        try:
            say(row, submitting.PageLoad(client=self.client, after=self.after, base=self.base))
        except REFUSALS:
            self._look_at_both()
        else:
            unseen = [number for number, who in self.ledger if who != self.client and number > self.knows]
            self.ledger.append((len(self.ledger) + 1, self.client))
            self.overwrote = unseen
            self.knows = len(self.ledger)

    def _look_at_both(self) -> None:
        """The refusal shows the other tab's version: saves from now on are newer."""
        row = reload(self.assignment)
        draft = assignments.work_of(row).draft("question")
        self.knows = len(self.ledger)
        if draft:
            self.base, self.seq = draft.seq, max(self.seq, draft.seq) + 1


def play(worker: Worker, rng: Random) -> list[str]:
    """Play one interleaving of two tabs to the end of the work; return what was overwritten unseen."""
    mine = reload(worker.claim())
    ledger: list = []
    pages = [Page(mine, ledger), Page(mine, ledger)]
    for page in pages:
        page.open()
    silent = []
    for _ in range(rng.randrange(4, 14)):
        page = rng.choice(pages)
        page.overwrote = []
        getattr(page, rng.choice(["save", "save", "save", "take", "take", "open"]))()
        silent += [f"{page.client} over version {number}" for number in page.overwrote]
    for page in pages:
        page.overwrote = []
        page.take()
        page.commit()
        silent += [f"{page.client} sent over version {number}" for number in page.overwrote]
    if reload(mine).state == "leased":
        pages[1].take()
        pages[1].commit()
    return silent


@pytest.fixture
def worker(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(INTERLEAVINGS))
    return Worker(alice, nq)


def test_no_interleaving_of_two_tabs_overwrites_anything_silently(worker, record_property):
    record_property("size", INTERLEAVINGS)
    record_property("seed", FIRST)
    silent = [found for seed in range(FIRST, FIRST + INTERLEAVINGS) for found in play(worker, Random(seed))]
    assert silent == []
    assert Response.objects.count() == INTERLEAVINGS


def test_the_control_without_the_check_something_is_overwritten(worker, monkeypatch):
    monkeypatch.setattr(record, "check_tab", lambda counts, tab: None)
    monkeypatch.setattr(record, "check_draft", lambda draft, tab: None)
    assert any(play(worker, Random(seed)) for seed in range(20))


def test_the_control_without_the_draft_s_number_something_is_overwritten(worker, monkeypatch):
    monkeypatch.setattr(record, "check_draft", lambda draft, tab: None)
    assert any(play(worker, Random(seed)) for seed in range(INTERLEAVINGS))
