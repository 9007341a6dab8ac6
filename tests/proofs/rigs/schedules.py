"""Stateful property tests (Hypothesis): schedules of people at work, with invariants checked after every step."""

from __future__ import annotations

import uuid
from datetime import timedelta
from random import Random
from typing import Any, ClassVar

import pytest
from django.db import connection, transaction
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from annotation import randomness
from annotation.engine import recording
from annotation.errors import AlreadyClosed, KeyReused, Refused
from annotation.models import Draft, Project, Response, User
from tasks.engine import assignments, claiming, leases, no_work, skip_and_return, submitting
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tests.builders import reload
from tests.proofs.rigs import commit_oracle, conservation
from tests.proofs.rigs.open_pages import PAUSES, Page
from tests.proofs.rigs.screens import ANSWER, NUMBER, PERSON, Screens

BEGINNINGS = ["nothing", "overtaken", "two tabs", "elsewhere", "back"]


def _begin_counting_anew() -> None:
    """Reset the sequence of lease keys, which seed the order within a block: a PostgreSQL rollback does not."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence('tasks_lease', 'id'), 1 + coalesce(max(id), 0)) FROM tasks_lease"
            )


class Schedules(Screens):
    """People claim, write, commit, leave and come back in any order while time passes.

    A subclass also names the project, the activity, the people, and somebody who comes when all are gone.
    """

    project: ClassVar[Project]
    activity: ClassVar[str]
    people: ClassVar[list[User]]
    newcomer: ClassVar[User]

    def __init__(self) -> None:
        super().__init__()
        self.stored: dict[uuid.UUID, tuple[int, str, dict[str, Any]]] = {}
        self.chance, drawn = pytest.MonkeyPatch(), Random(1)
        self.chance.setattr(randomness, "handle", lambda: uuid.UUID(int=drawn.getrandbits(128)))
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        _begin_counting_anew()

    def teardown(self) -> None:
        """Offer what was abandoned to somebody who comes later; then restore the database."""
        try:
            self.now += timedelta(days=9)
            self.everything_is_offered_again()
        finally:
            self.chance.undo()
            transaction.set_rollback(True)
            self.transaction.__exit__(None, None, None)

    @initialize(answer=ANSWER, doing=st.sampled_from(BEGINNINGS), writes=st.booleans())
    def everybody_comes(self, answer: int, doing: str, writes: bool) -> None:
        """Many schedules begin with one person on two pages, or overtaken: in twenty steps that is rare by chance."""
        for person in range(len(self.people)):
            self.claim(person, answer)
        if doing == "two tabs":
            self.commit_in_two_tabs(0, answer)
        elif doing == "overtaken":
            self.overtake(0, answer, same=True)
        elif doing != "nothing":
            self.go_on_elsewhere(0, answer, doing == "back", writes)

    @rule(person=PERSON, answer=ANSWER)
    def claim(self, person: int, answer: int) -> None:
        by = self.people[person]
        wanted = conservation.to_be_had(self.project, self.activity, by, now=self.now)
        got = claiming.claim(self.project, self.activity, by=by, now=self.now)
        if isinstance(got, no_work.NoWork):
            assert not wanted, f"sent away while {wanted} were to be had"
            self.met["sent away"] += 1
            return
        assert got.annotator_id == by.pk
        assert got.lease.expires_at > self.now
        for row in got.lease.assignments.filter(state=AssignmentState.LEASED):
            self.open_page(row, answer)

    @rule(number=NUMBER, answer=ANSWER)
    def commit(self, number: int, answer: int) -> None:
        """Commit one of the pages that still may; and open the next step, if the work continues."""
        page = self.page(number, accepted=False)
        if page is not None:
            self.send(page)
            self.open_page(page.assignment, answer)

    @rule(number=NUMBER, answer=ANSWER)
    def commit_in_two_tabs(self, number: int, answer: int) -> None:
        page = self.page(number, accepted=False)
        if page is not None:
            self.open_page(page.assignment, answer)
            self.send(page)
            self.send(self.pages[-1])

    @rule(number=NUMBER)
    def commit_again(self, number: int) -> None:
        page = self.page(number, accepted=True)
        if page is not None:
            self.send(page)

    @rule(number=NUMBER, answer=ANSWER, same=st.booleans())
    def overtake(self, number: int, answer: int, same: bool) -> None:
        """One lets the lease expire, the others are given work and begin to write, and then the first one answers.

        `same`: they skip everything else until they have what the first one had.
        """
        if (page := self.page(number, accepted=False)) is None:
            return
        page = self.open_page(page.assignment, answer) or page
        self.time_passes(PAUSES[-1], True)
        for person, other in enumerate(self.people):
            if other != page.assignment.annotator:
                theirs = self.claimed(person, answer)
                for _ in range(3):
                    tasks = {each.assignment.task_id for each in theirs}
                    if not same or not tasks or page.assignment.task_id in tasks:
                        break
                    for each in theirs:
                        self.pass_over(each)
                    theirs = self.claimed(person, answer)
                for each in theirs:
                    self.write(each)
        self.send(page)

    def claimed(self, person: int, answer: int) -> list[Page]:
        """The pages that open when this person claims."""
        before = len(self.pages)
        self.claim(person, answer)
        return self.pages[before:]

    def send(self, page: Page) -> None:
        """POST, and judge the outcome."""
        row = reload(page.assignment)
        may = page.accepted or commit_oracle.up_to_date(row, page.stage, tab=page.tab, seen=page.seen)
        room, state = commit_oracle.room(row), row.state
        outcome: submitting.CommitOutcome | None = None
        try:
            outcome = submitting.commit(
                row,
                page.stage,
                page.payload,
                by=row.annotator,
                key=page.key,
                seen=page.seen,
                tab=page.tab,
                now=self.now,
            )
        except Refused as refused:
            self.met[type(refused).__name__] += 1
        assert may or outcome is None, "a stale write was accepted"
        assert not may or outcome is not None, "refused, though nobody had been faster"
        if outcome is None:
            return
        assert outcome.replayed == page.accepted
        assert not (outcome.late and room), "kept as late, though there was a slot for it"
        how = commit_oracle.how(outcome, row, was=state)
        assert room or how != "adopted", "late work was given a slot, though there was none"
        self.met[how] += 1
        if not page.accepted:
            page.accepted = True
            stage = assignments.work_of(row).activity.stage(page.stage)
            written = recording.validated(stage, page.payload).model_dump(mode="json")
            self.stored[page.key] = (row.annotation_id, page.stage, written)
            self.typed.pop((row.annotation_id, page.stage), None)

    @rule(number=NUMBER)
    def commit_another_under_the_same_key(self, number: int) -> None:
        page = self.page(number, accepted=True)
        if page is None:
            return
        row, other = reload(page.assignment), {"kind": "other"}
        with pytest.raises(KeyReused):
            submitting.commit(row, page.stage, other, by=row.annotator, key=page.key, seen=page.seen, now=self.now)

    @rule(number=NUMBER)
    def skip(self, number: int) -> None:
        if (page := self.page(number)) is not None:
            self.pass_over(page)

    def pass_over(self, page: Page) -> None:
        row = reload(page.assignment)
        meant = commit_oracle.meant(row)
        may = meant.state in (AssignmentState.LEASED, AssignmentState.SKIPPED) or commit_oracle.ran_out(meant)
        self._leave(lambda: skip_and_return.skip(row, by=row.annotator, reason="hard", text="", now=self.now), may=may)

    @rule(number=NUMBER)
    def give_back(self, number: int) -> None:
        if (page := self.page(number)) is None:
            return
        row = reload(page.assignment)
        meant = commit_oracle.meant(row)
        rest = meant.lease.assignments.select_related("task", "annotation")
        left = any(each.state == AssignmentState.LEASED or commit_oracle.ran_out(each) for each in rest)
        may = left or meant.state == AssignmentState.RETURNED
        self._leave(lambda: skip_and_return.give_back(row, by=row.annotator, now=self.now), may=may)

    @rule(person=PERSON)
    def undo_skip(self, person: int) -> None:
        mine = Assignment.objects.filter(annotator=self.people[person], state=AssignmentState.SKIPPED)
        row = mine.order_by("closed_at").last()
        if row is None:
            return
        row = reload(row)
        in_time = self.now - row.closed_at <= timedelta(seconds=skip_and_return.UNDO_SECONDS)
        try:
            skip_and_return.undo_skip(row, by=row.annotator, now=self.now)
        except AlreadyClosed:
            return
        assert in_time, "a skip was taken back too late"
        assert reload(row).state == AssignmentState.LEASED
        self.met["undone"] += 1

    @rule(pause=st.sampled_from(PAUSES), tidied=st.booleans())
    def time_passes(self, pause: timedelta, tidied: bool) -> None:
        """With or without the job that expires overdue leases."""
        self.now += pause
        if tidied:
            leases.expire_overdue(now=self.now)

    @invariant()
    def slots_are_conserved(self) -> None:
        assert conservation.faults(self.project) == []

    @invariant()
    def no_response_is_lost_or_doubled(self) -> None:
        rows = Response.objects.filter(annotation__item__project=self.project)
        found = {row.submission_key: (row.annotation_id, row.stage, row.payload) for row in rows}
        assert len(found) == len(rows)
        assert found == self.stored

    @invariant()
    def no_typed_draft_is_discarded(self) -> None:
        found = Draft.objects.filter(annotation__item__project=self.project)
        kept = {(draft.annotation_id, draft.stage): draft.data for draft in found}
        assert kept == self.typed

    def everything_is_offered_again(self) -> None:
        """Whoever comes when every lease has expired is given each task that has a free slot."""
        given: set[int] = set()
        wanted = conservation.to_be_had(self.project, self.activity, self.newcomer, now=self.now)
        while True:
            got = claiming.claim(self.project, self.activity, by=self.newcomer, now=self.now)
            if isinstance(got, no_work.NoWork):
                break
            for row in got.lease.assignments.filter(state=AssignmentState.LEASED).select_related("task"):
                given.add(row.task_id)
                skip_and_return.skip(reload(row), by=self.newcomer, reason="hard", text="", now=self.now)
        assert given == wanted, "stuck"
        assert conservation.faults(self.project) == []

    def _leave(self, leaving: Any, *, may: bool) -> None:
        try:
            leaving()
        except AlreadyClosed:
            assert not may, "work that was in hand could not be left"
        else:
            assert may, "work was left that was not in hand"
