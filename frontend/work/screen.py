"""What the work screen shows around a sheet: stepper, concurrency fields, draft, remaining time, addresses."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from annotation import randomness
from annotation.engine.work import Hold, Work
from annotation.i18n import Noun
from annotation.models import Draft, Purpose, User
from annotation.values import records
from annotation.values.records import Waiting
from annotation.worktime.today import Today, today_of
from frontend.nouns import noun_of_activity
from frontend.work import flagging, signing_in
from frontend.work.as_seen import AsSeenNotice
from frontend.work.found_by import results_url
from tasks import corrections
from tasks.engine import assignments, leases, tabs
from tasks.engine.tabs import PageLoad
from tasks.models import Assignment
from tasks.models.states import LEAVES_ITEM_FREE, AssignmentState

ANY = uuid.UUID(int=0)


@dataclass(frozen=True)
class StepperStage:
    """One stage in the stepper; `url` where it may be opened."""

    key: str
    title: str
    number: int
    state: str
    url: str | None


@dataclass(frozen=True)
class Screen:
    """Everything that the work template gets in addition to the sheet and the form."""

    id: str
    protocol: str
    stage: str
    title: str
    slug: str
    activity: str
    noun: Noun
    steps: tuple[StepperStage, ...]
    submission_key: str
    seen: int
    client: str
    after: str
    draft: dict[str, Any] | None
    draft_at: datetime | None
    draft_seq: int
    draft_client: str
    place: dict[str, Any] | None
    expires_in: int
    today: Today
    readonly: bool
    revising: bool
    urls: dict[str, str]
    block: tuple[BlockPart, ...] = ()
    block_ends: datetime | None = None
    reopened: Reopened | None = None
    sealed: Sealed | None = None
    flags: tuple[flagging.FlagReasonChoice, ...] = ()
    withdraw: str = ""
    dispute_url: str = ""
    """The dispute to which an expert writes an answer of their own; "" for everybody else's work."""
    as_seen: AsSeenNotice | None = None
    """If a lead looks at what annotators see: nothing can be sent or saved (frontend/leads/items/as_seen.py)."""

    @property
    def section(self) -> str:
        """The stage of the step, by which the guidelines name their section about it."""
        return records.Step.at(self.stage).stage

    @property
    def place_in_block(self) -> int:
        """The number of this piece of work in its block, from 1."""
        return next((number for number, part in enumerate(self.block, start=1) if part.current), 1)

    @property
    def done_in_block(self) -> int:
        """How many pieces of work of the block are sent or skipped."""
        return sum(part.state in ("committed", "skipped") for part in self.block)


@dataclass(frozen=True)
class Sealed:
    """A stage that can't be answered again; a note about it to the lead is posted to `url`."""

    title: str
    url: str


@dataclass(frozen=True)
class Reopened:
    """A lead has sent finished work back to its author; `reason` in the lead's words."""

    reason: str


@dataclass(frozen=True)
class BlockPart:
    """One piece of work of a block: `state` is untouched, draft, committed or skipped."""

    url: str
    prompt: str
    state: str
    current: bool


def screen_of(
    assignment: Assignment, work: Work, step: str, *, by: User, now: datetime, tab: PageLoad | None = None
) -> Screen:
    """The screen of a step that was reached; `tab` is the page load to continue in, None for a new one."""
    project, hold = work.item.project, assignments.hold_of(assignment)
    work.step(step)
    readonly = work.locked(step)
    draft = None if readonly else work.draft(step)
    place = tabs.place_of(assignment, step, draft)
    return Screen(
        id=str(hold.id),
        protocol=work.protocol.key,
        stage=step,
        title=project.title,
        slug=project.slug,
        activity=gettext(work.activity.title),
        noun=noun_of_activity(work.activity),
        steps=_steps(assignment, work, step),
        submission_key=str(randomness.handle()),
        seen=work.seen_at(step),
        client=str(tab.client if tab else randomness.handle()),
        after=str(hold.client or ""),
        draft=draft.data if draft else None,
        draft_at=draft.saved_at if draft else None,
        draft_seq=draft.seq if draft else 0,
        draft_client=str(draft.client) if draft else "",
        place=asdict(place) if place else None,
        expires_in=_seconds_left(hold, now=now),
        today=today_of(by, now=now),
        readonly=readonly,
        revising=work.answer_at(step) is not None and not readonly,
        urls=_urls(assignment, work, step),
        block=_block(assignment, work) if work.activity.block else (),
        block_ends=leases.block_end(assignment.lease, now=now) if work.activity.block else None,
        reopened=reopened_by_lead(assignment),
        sealed=_sealed(assignment, work, step),
        flags=flagging.reasons_of(work.activity),
        dispute_url=_dispute_url(assignment),
    )


def waiting_screen(assignment: Assignment, work: Work, *, by: User, now: datetime) -> Screen:
    """The screen while waiting for a partner: there is nothing to answer or save."""
    project, hold, waited_for = work.item.project, assignments.hold_of(assignment), work.following
    sent = work.withdrawable
    step = waited_for.step.address if isinstance(waited_for, Waiting) else ""
    return Screen(
        id=str(hold.id),
        protocol=work.protocol.key,
        stage=step,
        title=project.title,
        slug=project.slug,
        activity=gettext(work.activity.title),
        noun=noun_of_activity(work.activity),
        steps=_steps(assignment, work, step),
        submission_key="",
        seen=work.seen,
        client=str(randomness.handle()),
        after=str(hold.client or ""),
        draft=None,
        draft_at=None,
        draft_seq=0,
        draft_client="",
        place=None,
        expires_in=_seconds_left(hold, now=now),
        today=today_of(by, now=now),
        readonly=True,
        revising=False,
        urls=_urls(assignment, work, step),
        flags=flagging.reasons_of(work.activity),
        withdraw=reverse("withdraw", args=[assignment.uuid, sent]) if sent else "",
    )


def _seconds_left(hold: Hold, *, now: datetime) -> int:
    return max(0, int((hold.deadline - now).total_seconds())) if hold.deadline else 0


def _sealed(assignment: Assignment, work: Work, step: str) -> Sealed | None:
    """Where to leave a note if the step is sealed: the person may have changed their mind."""
    if not work.locked(step):
        return None
    return Sealed(gettext(work.stage(step).title), reverse("reconsider", args=[assignment.uuid, step]))


def reopened_by_lead(assignment: Assignment) -> Reopened | None:
    """The lead's reason if this is finished work that is open again."""
    again = assignment.state == AssignmentState.LEASED and corrections.last_reopening(assignment)
    return Reopened(reason=again.data["reason"]) if again else None


def _dispute_url(assignment: Assignment) -> str:
    if assignment.annotation.purpose != Purpose.REFERENCE:
        return ""
    task = assignment.task
    return reverse("dispute", args=[task.item.project.slug, task.activity, task.item_id])


def _block(assignment: Assignment, work: Work) -> tuple[BlockPart, ...]:
    """The parts of the block in the order in which they were claimed."""
    rows = assignment.lease.assignments.select_related("task__item").order_by("pk")
    drafted = set(Draft.objects.filter(annotation__assignments__in=rows).values_list("annotation_id", flat=True))
    states = {AssignmentState.SUBMITTED: "committed", AssignmentState.SKIPPED: "skipped"}
    return tuple(
        BlockPart(
            url=reverse("work", args=[row.uuid]),
            prompt=work.protocol.caption(row.task.item.kind, row.task.item.payload),
            state=states.get(AssignmentState(row.state)) or ("draft" if row.annotation_id in drafted else "untouched"),
            current=row.pk == assignment.pk,
        )
        for row in rows.exclude(state__in=LEAVES_ITEM_FREE)
    )


def _steps(assignment: Assignment, work: Work, step: str) -> tuple[StepperStage, ...]:
    """The stages of the activity; a stage with several turns links to the last one reached."""
    at = records.Step.at(step).stage
    answered = {entry.stage for entry in work.own}
    reached = {each.stage: each.address for each in work.steps}
    found: tuple[StepperStage, ...] = ()
    if work.activity.picks == "search":
        found = (StepperStage("search", gettext("Find"), 1, "done", results_url(assignment)),)
    return found + tuple(
        StepperStage(
            key=each.key,
            title=gettext(each.title),
            number=number,
            state="now" if each.key == at else "done" if each.key in answered else "next",
            url=reverse("stage", args=[assignment.uuid, reached[each.key]]) if each.key in reached else None,
        )
        for number, each in enumerate(work.activity.stages, start=1 + len(found))
    )


def _urls(assignment: Assignment, work: Work, step: str) -> dict[str, str]:
    shared = len(work.activity.seats) > 1
    urls = _urls_of_any(step, work.item.project.slug, shared, shared and assignment.state == AssignmentState.LEASED)
    found = {name: url.replace(str(ANY), str(assignment.uuid)) for name, url in urls}
    return found | ({"signing_in": signing_in.url(assignment.uuid)} if "socket" in found else {})


@lru_cache(maxsize=256)
def _urls_of_any(step: str, slug: str, shared: bool, live: bool) -> tuple[tuple[str, str], ...]:
    """The addresses of a step of the work ANY: reversing them for each screen would take a tenth of drawing it."""
    urls = {
        name: reverse(name, args=[ANY]) for name in ("work", "renew", "take", "skip", "unskip", "give_back", "report")
    }
    urls |= {name: reverse(name, args=[ANY, step]) for name in ("stage", "draft", "kept", "frame", "find_quote")}
    urls["image"] = reverse("image", args=[ANY, step, 0]).removesuffix("0/")
    if shared:
        urls |= {name: reverse(name, args=[ANY]) for name in ("partner", "flag", "chat")}
    if live:
        urls["socket"] = reverse("socket_of_work", "frontend.sockets.admission", args=[ANY])
    urls["guidelines"] = f"{reverse('guidelines', args=[slug])}?of={ANY}&at={step}"
    urls["messages"] = f"{reverse('messages', args=[slug])}?about={ANY}"
    return tuple((urls | {"home": reverse("home")}).items())
