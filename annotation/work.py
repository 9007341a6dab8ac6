"""An open annotation as one person has it: what was said so far, which step is theirs, the sheet of a step."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from annotation import loading
from annotation import protocol as registry
from annotation.errors import NotFound
from annotation.models import Annotation, Draft, Item, Response, User
from annotation.protocol import Activity, Protocol, Sheet, Stage
from annotation.records import Context, ItemRecord, Said, Step, Waiting
from annotation.schemas import ProjectConfig


@dataclass(frozen=True)
class Hold:
    """One person's hold on a piece of work, as the record and the screen need it: an assignment, or an exam's attempt.

    `since`: when they got it; `longest`: seconds that one answer can have taken; `deadline`: when the hold ends (None:
    it has ended); `client`: the page load that counts; `place`: where they were on the page when one was left last.
    """

    id: uuid.UUID
    person: User
    since: datetime
    longest: float
    deadline: datetime | None
    client: uuid.UUID | None = None
    place: dict[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Work:
    """One person's share of an annotation as it stands: a snapshot, which `replace` makes anew.

    `person` is the key of its author in `seat`; `leased`: they hold it now; `revisable`: it was committed in a block
    that is still open; `known`: its responses in the order in which they were written (None: read when first needed);
    `untouched`: it was opened a moment ago, in this very request, so that nothing was saved in it yet.
    """

    annotation: Annotation
    item: Item
    protocol: Protocol
    activity: Activity
    person: int | None
    seat: str = "one"
    leased: bool = False
    revisable: bool = False
    known: Sequence[Response] | None = None
    untouched: bool = False

    @property
    def reopened(self) -> bool:
        """Whether it was completed before and its author is to look at it again."""
        return self.leased and self.annotation.completed_at is not None

    @property
    def closed(self) -> bool:
        """Whether it was completed and may not be changed any more."""
        return self.annotation.completed_at is not None and not self.leased and not self.revisable

    @cached_property
    def responses(self) -> Sequence[Response]:
        """Every response in the order in which it was written."""
        if self.untouched:
            return []
        return list(self.annotation.responses.order_by("pk")) if self.known is None else self.known

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """What counts now, whoever said it."""
        return loading.said_of(self.activity, self.responses)

    @property
    def own(self) -> tuple[Said, ...]:
        """What counts now of what this person said."""
        return tuple(entry for entry in self.said if entry.author == str(self.person or ""))

    @cached_property
    def record(self) -> ItemRecord:
        """The item with its documents."""
        return loading.item_record(self.item)

    @cached_property
    def config(self) -> ProjectConfig:
        """The numbers of the project."""
        return self.protocol.config.model_validate(self.item.project.config, strict=False)

    def context(self, before: Step | None = None) -> Context:
        """What the protocol is told: everything that was said, or what stands before a step."""
        said = self.said
        if before is not None:
            place = self.activity.place
            said = tuple(entry for entry in said if place(entry) < place(before))
        return Context(self.record, self.activity.key, said, self.seat, self.config, str(self.annotation.uuid))

    @cached_property
    def following(self) -> Step | Waiting | None:
        """What this person is to answer now, whom they wait for, or None when the work is complete.

        Of re-opened work their last step again.
        """
        if self.annotation.completed_at is not None and not self.leased:
            return None
        following = self.protocol.next_step(self.context())
        if following is None and self.reopened and self.own:
            last = self.own[-1]
            return Step(last.stage, last.turn, last.seat)
        return following

    @property
    def current(self) -> str | None:
        """The address of the step to be answered now; None when there is none for this person."""
        return self.following.address if isinstance(self.following, Step) else None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that this person has reached: those they answered, and the one to be answered now."""
        answered = tuple(Step(entry.stage, entry.turn, entry.seat) for entry in self.own)
        if isinstance(self.following, Step) and self.following not in answered:
            return (*answered, self.following)
        return answered

    def step(self, address: str) -> Step:
        """A step that this person has reached, or NotFound: what lies ahead does not exist yet."""
        for step in self.steps:
            if step.address == address:
                return step
        raise NotFound

    def stage(self, address: str) -> Stage:
        """The stage of a step that was reached, or NotFound."""
        return self.activity.stage(self.step(address).stage)

    def reached(self, address: str) -> bool:
        """Whether that step was answered by this person or is theirs to be answered now."""
        return any(step.address == address for step in self.steps)

    def counted(self, address: str | None = None) -> list[Response]:
        """The responses that a page at that step knows of (the present one, if none is named).

        They are the person's own, and everybody's up to the turn of the step: a partner's answer in a later turn
        changes nothing of this page.
        """
        if address is None:
            here = self.following.step if isinstance(self.following, Waiting) else self.following
        else:
            here = Step.at(address)
        if here is None:
            return list(self.responses)
        return [row for row in self.responses if row.author_id == self.person or row.turn <= here.turn]

    def seen_at(self, address: str | None = None) -> int:
        """How many those are: the fence (optimistic lock) that a page carries, so that a stale one is noticed."""
        return len(self.counted(address))

    @property
    def seen(self) -> int:
        """The fence of a page at the present step."""
        return self.seen_at()

    def when_reached(self, address: str) -> Work:
        """The work as it stood when its author could last answer that step; NotFound where they never could.

        A later answer to an earlier stage may have cut it away.
        """
        for count in range(len(self.responses), -1, -1):
            then = replace(self, leased=True, known=self.responses[:count])
            if then.reached(address):
                return then
        raise NotFound

    def locked(self, address: str) -> bool:
        """Whether it was answered and is sealed, unless nothing was shown after it and the work is re-opened."""
        answered = self.answer_at(address)
        if answered is None or not self.activity.stage(answered.stage).sealed:
            return False
        return not (self.reopened and self.own[-1].address == address)

    def answer_at(self, address: str) -> Said | None:
        """What this person answered at that step and still counts, or None."""
        return next((entry for entry in self.own if entry.address == address), None)

    def sheet(self, address: str) -> Sheet:
        """Exactly what may be seen at a step that was reached."""
        step = self.step(address)
        return self.protocol.sheet(self.context(before=step), step)

    def sheet_while_waiting(self) -> Sheet:
        """Exactly what may be seen while somebody else is to answer."""
        if not isinstance(self.following, Waiting):
            raise NotFound
        return self.protocol.sheet(self.context(), self.following)

    def draft(self, address: str) -> Draft | None:
        """What this person saved at that step and did not commit."""
        if self.untouched:
            return None
        at = Step.at(address)
        mine = Draft.objects.filter(annotation=self.annotation, author_id=self.person)
        return mine.filter(stage=at.stage, turn=at.turn).first()


def work_on(
    annotation: Annotation,
    *,
    item: Item,
    protocol: str,
    activity: str,
    person: int | None,
    seat: str = "one",
    leased: bool = False,
    revisable: bool = False,
    untouched: bool = False,
) -> Work:
    """The work on an annotation whose item and project are at hand."""
    found = registry.get(protocol)
    annotation.item = item
    return Work(annotation, item, found, found.activity(activity), person, seat, leased, revisable, untouched=untouched)
