"""One person's view of an open annotation: the responses so far, their next step, the sheet of a step."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from annotation import registry
from annotation.db.compiled import Param, Prepared
from annotation.engine import loading
from annotation.errors import NotFound
from annotation.models import Annotation, Draft, Item, Response, User
from annotation.protocol import Activity, Protocol, Stage
from annotation.values.records import Context, GivenAnswer, ItemRecord, Step, Waiting
from annotation.values.schemas import ProjectConfig
from annotation.values.sheets import Sheet


@dataclass(frozen=True)
class Hold:
    """One person's hold on a piece of work: an assignment, or an exam attempt.

    `since`: when they got it; `longest`: the most seconds that one answer can take; `deadline`: when the hold ends
    (None: it has ended); `client`: the page load that may write; `place`: where on the page they last were.
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
    """One person's share of an annotation: an immutable snapshot (`dataclasses.replace` makes the next one).

    `person`: the key of its author in `seat`; `leased`: they hold it now; `revisable`: it was submitted in a block that
    is still open; `known`: its responses, oldest first (None: loaded lazily); `untouched`: it was opened in this
    request, so nothing has been saved in it.
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
        """Whether it was completed before and is open again for its author."""
        return self.leased and self.annotation.completed_at is not None

    @property
    def closed(self) -> bool:
        """Whether it was completed and can no longer be changed."""
        return self.annotation.completed_at is not None and not self.leased and not self.revisable

    @cached_property
    def responses(self) -> Sequence[Response]:
        """Every response, oldest first."""
        if self.untouched:
            return []
        return _responses(annotation=self.annotation.pk) if self.known is None else self.known

    @cached_property
    def answers(self) -> tuple[GivenAnswer, ...]:
        """The responses that count now, whoever gave them."""
        return loading.said_of(self.activity, self.responses)

    @cached_property
    def own(self) -> tuple[GivenAnswer, ...]:
        """The responses that count now and are this person's."""
        return tuple(entry for entry in self.answers if entry.author == str(self.person or ""))

    @cached_property
    def record(self) -> ItemRecord:
        """The item with its documents; of a judgement, the exhibit as it was sealed."""
        if (exhibit := self.annotation.exhibit) is not None:
            return loading.exhibit_record(exhibit, self.item)
        return loading.item_record(self.item)

    @cached_property
    def config(self) -> ProjectConfig:
        """The project's config, typed by its protocol."""
        return registry.get(self.item.project.protocol).config.model_validate(self.item.project.config, strict=False)

    def context(self, before: Step | None = None) -> Context:
        """The context for the protocol, with all responses that count, or only those before a step."""
        said = self.answers
        if before is not None:
            place = self.activity.place
            said = tuple(entry for entry in said if place(entry) < place(before))
        return Context(self.record, self.activity.key, said, self.seat, self.config, str(self.annotation.uuid))

    @cached_property
    def following(self) -> Step | Waiting | None:
        """This person's next step, Waiting, or None when the work is complete.

        For re-opened work, their last step again.
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
        """The address of this person's current step; None when there is none."""
        return self.following.address if isinstance(self.following, Step) else None

    @property
    def step_to_show(self) -> str:
        """The address of the step to be answered now; the last one if the work was submitted and may be revised."""
        return self.current or self.own[-1].address

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps that this person has reached: those they have answered, and the current one."""
        answered = tuple(Step(entry.stage, entry.turn, entry.seat) for entry in self.own)
        if isinstance(self.following, Step) and self.following not in answered:
            return (*answered, self.following)
        return answered

    @property
    def withdrawable(self) -> str:
        """The address of this person's answer that they may take back, if the partner has not begun; "" if none."""
        if not isinstance(self.following, Waiting) or not self.answers or not self.leased:
            return ""
        last = self.answers[-1]
        mine = last.author == str(self.person or "") and self.activity.stage(last.stage).withdrawable
        return last.address if mine else ""

    def step(self, address: str) -> Step:
        """A step that this person has reached, or NotFound: later steps do not exist yet."""
        for step in self.steps:
            if step.address == address:
                return step
        raise NotFound

    def stage(self, address: str) -> Stage:
        """The stage of a step that was reached, or NotFound."""
        return self.activity.stage(self.step(address).stage)

    def reached(self, address: str) -> bool:
        """Whether this person has answered that step or is at it now."""
        return any(step.address == address for step in self.steps)

    def has_gone(self, address: str) -> bool:
        """Whether that step is no longer this person's because a partner has taken back what it was about."""
        if len(self.activity.seats) == 1:
            return False
        at, last = Step.at(address), next(reversed(self.responses), None)
        if last is None or last.schema != loading.TAKEN_BACK or last.author_id == self.person:
            return False
        known = at.stage in {stage.key for stage in self.activity.stages}
        return known and last.turn == at.turn and isinstance(self.following, Waiting) and not self.reached(address)

    def counted(self, address: str | None = None) -> list[Response]:
        """The responses that a page at that step (by default the current one) depends on.

        These are the person's own, and everybody's up to the turn of the step: a partner's answer in a later turn does
        not change this page.
        """
        if address is None:
            here = self.following.step if isinstance(self.following, Waiting) else self.following
        else:
            here = Step.at(address)
        if here is None:
            return list(self.responses)
        return [row for row in self.responses if row.author_id == self.person or row.turn <= here.turn]

    def seen_at(self, address: str | None = None) -> int:
        """How many responses a page at that step depends on: its optimistic lock, by which a stale page is noticed."""
        return len(self.counted(address))

    @property
    def seen(self) -> int:
        """The optimistic lock of a page at the current step."""
        return self.seen_at()

    def when_reached(self, address: str) -> Work:
        """The work as it was when this person could last answer that step; NotFound if they never could.

        A revision of an earlier stage may have removed the step since.
        """
        for count in range(len(self.responses), -1, -1):
            then = replace(self, leased=True, known=self.responses[:count])
            if then.reached(address):
                return then
        raise NotFound

    def locked(self, address: str) -> bool:
        """Whether the step is sealed and has been answered; the last step of re-opened work is not locked."""
        answered = self.answer_at(address)
        if answered is None or not self.activity.stage(answered.stage).sealed:
            return False
        return not (self.reopened and self.own[-1].address == address)

    def answer_at(self, address: str) -> GivenAnswer | None:
        """This person's answer at that step, if it still counts, or None."""
        return next((entry for entry in self.own if entry.address == address), None)

    def sheet(self, address: str) -> Sheet:
        """Everything that may be seen at a step that was reached."""
        step = self.step(address)
        return self.protocol.sheet(self.context(before=step), step)

    def sheet_now(self) -> Sheet:
        """Everything that may be seen at the current step, while waiting, or else at the last step answered."""
        if isinstance(self.following, Waiting):
            return self.sheet_while_waiting()
        return self.sheet(self.current or self.own[-1].address)

    def sheet_while_waiting(self) -> Sheet:
        """Everything that may be seen while another seat has to answer."""
        if not isinstance(self.following, Waiting):
            raise NotFound
        return self.protocol.sheet(self.context(), self.following)

    def form_of(self, address: str) -> Any:
        """The class of the form of a step."""
        return registry.form_of(self.protocol.key, address).for_item(self.record)

    def answered_fields(self, address: str) -> dict[str, Any] | None:
        """The form fields of this person's answer at a step, or None."""
        answered = self.answer_at(address)
        if answered is None:
            return None
        return dict(self.form_of(address).fields_of(answered.payload.model_dump(mode="json")))

    def shares(self, payload: dict[str, Any]) -> Sequence[tuple[Work, dict[str, Any]]]:
        """What an answer given on this page answers: this work alone, unless several are on one page."""
        return [(self, payload)]

    def keys_of(self, key: uuid.UUID) -> Sequence[uuid.UUID]:
        """The idempotency keys under which an answer given on this page with this key is stored."""
        return [key]

    def draft(self, address: str) -> Draft | None:
        """This person's draft of that step, or None."""
        if self.untouched:
            return None
        at = Step.at(address)
        mine = Draft.objects.filter(annotation=self.annotation, author_id=self.person)
        return mine.filter(stage=at.stage, turn=at.turn).first()


@Prepared
def _responses() -> QuerySet[Response]:
    return Response.objects.filter(annotation=Param("annotation")).order_by("pk")


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
    """The Work of an annotation whose item and project are already loaded."""
    found = registry.protocol_of_activity(protocol, activity)
    annotation.item = item
    return Work(annotation, item, found, found.activity(activity), person, seat, leased, revisable, untouched=untouched)
