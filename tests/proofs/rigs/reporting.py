"""Schedules in which people also report their work, and a lead unfreezes or withdraws it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from annotation.engine import exclusion
from annotation.errors import AlreadyClosed
from annotation.models import Annotation, Flag, Item, User
from annotation.models.case import FlagReason
from tasks.items import reports
from tasks.models.states import AssignmentState, TaskState
from tests.builders import reload
from tests.proofs.rigs.open_pages import PAUSES, Page
from tests.proofs.rigs.schedules import Schedules
from tests.proofs.rigs.screens import ANSWER, NUMBER

WHY = "it shows nothing"


class Reporting(Schedules):
    """Frozen or withdrawn work leaves less to do, so these run beside the others. A subclass also names the lead."""

    lead: ClassVar[User]

    def __init__(self) -> None:
        super().__init__()
        self.reported: defaultdict[int, set[int]] = defaultdict(set)
        self.left_out: set[int] = set()

    def teardown(self) -> None:
        """At the end the lead has looked at everything: what was frozen is offered like the rest."""
        try:
            for item in self.items_with_reports():
                self.let_go(item)
        finally:
            super().teardown()

    @initialize(doing=st.sampled_from(["frozen", "frozen", "taken out", "nothing"]), answer=ANSWER)
    def begin(self, doing: str, answer: int) -> None:
        """Many schedules begin with two people reporting the same item, or with a skipped item being withdrawn.

        Everybody is at work. By chance that would be rare.
        """
        if doing == "nothing":
            return
        for person in range(len(self.people)):
            self.claim(person, answer)
        if doing == "taken out":
            self.take_out_meanwhile(0, skipped=True)
            return
        [(item, _holders)] = Counter(page.assignment.task.item_id for page in self.pages).most_common(1)
        self.until_frozen(item)

    @rule(number=NUMBER)
    def report(self, number: int) -> None:
        if (page := self.page(number)) is not None:
            self.say(page)

    @rule(number=NUMBER, answer=ANSWER)
    def report_together(self, number: int, answer: int) -> None:
        """One reports, the others claim, and whoever gets or had the same item reports it too, until it is frozen."""
        if (page := self.page(number)) is None:
            return
        self.say(page)
        for person in range(len(self.people)):
            self.claim(person, answer)
        self.until_frozen(page.assignment.task.item_id)

    def until_frozen(self, item: int) -> None:
        """Those who have it report it, one after another, until it is frozen."""
        for page in [each for each in self.pages if each.assignment.task.item_id == item]:
            if len(self.reported[item]) < reports.ENOUGH:
                self.say(page)

    def say(self, page: Page) -> None:
        """The page's person reports; judge the outcome."""
        row = reload(page.assignment)
        said, was = self.reported[row.task.item_id], row.state
        may = was in (AssignmentState.LEASED, AssignmentState.EXPIRED) or row.annotator_id in said
        try:
            frozen = reports.report(row, by=row.annotator, reason=FlagReason.BROKEN, text="", now=self.now)
        except AlreadyClosed:
            assert not may, "a report of what was in hand was refused"
            return
        assert may, "what was done or left was reported"
        said.add(row.annotator_id)
        assert frozen == (len(said) >= reports.ENOUGH)
        assert reload(row).state == (AssignmentState.RETURNED if was == AssignmentState.LEASED else was)
        self.met["frozen" if frozen else "reported"] += 1

    def items_with_reports(self) -> list[Item]:
        named = [pk for pk, said in self.reported.items() if said]
        return list(Item.objects.filter(pk__in=named).select_related("project").order_by("pk"))

    @rule(number=NUMBER, out=st.booleans())
    def look_at_reports(self, number: int, out: bool) -> None:
        """The lead unfreezes an item, or withdraws it."""
        if found := self.items_with_reports():
            (self.take_out if out else self.let_go)(found[number % len(found)])

    @rule(number=NUMBER, skipped=st.booleans())
    def take_out_meanwhile(self, number: int, skipped: bool) -> None:
        """Somebody has skipped it or let the lease expire, it is withdrawn, and then they undo the skip or answer."""
        if (page := self.page(number, accepted=False)) is None:
            return
        if skipped:
            self.pass_over(page)
        else:
            self.time_passes(PAUSES[-1], True)
        self.take_out(page.assignment.task.item)
        if skipped:
            self.undo_skip(self.people.index(page.assignment.annotator))
            self.slots_are_conserved()  # at once: what comes next may expire a lease that was not overdue
        self.send(page)

    def take_out(self, item: Item) -> None:
        reports.cancel(item, by=self.lead, reason=WHY, now=self.now)
        for each in [item, *item.descendants.all()]:
            self.reported[each.pk].clear()
        self.met["taken out"] += 1

    def let_go(self, item: Item) -> None:
        was_frozen = item.tasks.filter(state=TaskState.FROZEN).exists()
        reports.unfreeze(item, by=self.lead, now=self.now)
        self.reported[item.pk].clear()
        assert not item.tasks.filter(state=TaskState.FROZEN).exists(), "frozen for ever"
        if was_frozen:
            settled = item.tasks.filter(state=TaskState.DONE).exists()
            self.met["let go, all done" if settled else "let go"] += 1

    @rule(number=NUMBER)
    def leave_out_or_take_in(self, number: int) -> None:
        """The lead excludes finished work from releases, or restores it: its slot is not affected."""
        if (page := self.page(number, accepted=True)) is None:
            return
        row = reload(page.assignment)
        if row.state != AssignmentState.SUBMITTED:
            return
        change = exclusion.restore if row.annotation_id in self.left_out else exclusion.exclude
        change(self.project, uuids=[row.annotation.uuid], by=self.lead, reason=WHY, now=self.now)
        self.left_out ^= {row.annotation_id}

    @invariant()
    def no_report_is_lost_or_doubled(self) -> None:
        found: defaultdict[int, set[int]] = defaultdict(set)
        open_now = Flag.objects.filter(item__project=self.project, settled_at=None)
        for item, author in open_now.values_list("item", "author"):
            found[item].add(author)
        assert found == {item: said for item, said in self.reported.items() if said}

    @invariant()
    def only_the_lead_and_lateness_leave_work_out(self) -> None:
        rows = Annotation.objects.filter(item__project=self.project, excluded_at__isnull=False)
        assert set(rows.exclude(exclusion_reason=exclusion.LATE).values_list("pk", flat=True)) == self.left_out
