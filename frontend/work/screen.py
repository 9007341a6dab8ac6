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
from annotation.models import User
from annotation.values import records
from annotation.values.records import Waiting
from annotation.worktime.totals import Today, today_of
from frontend.courses.notices import CourseNotice
from frontend.wording import noun_of_activity
from frontend.work import flagging, signing_in
from frontend.work.held import BlockPart, Reopened
from frontend.work.holds.any_hold import AnyHold
from frontend.work.judging import PlaceInRound
from tasks.engine import tabs
from tasks.engine.tabs import PageLoad
from tasks.pairs import taking_back


@dataclass(frozen=True)
class AsSeenLink:
    """A screen to look at, or the first of several."""

    title: str
    url: str
    current: bool


@dataclass(frozen=True)
class AsSeenNotice:
    """Where a lead is who looks at an item as annotators see it: what else there is to see, and the way back.

    `groups`: the seats of all activities, () if there is only one; `screens`: those of this seat. `earlier`: there are
    answers before it; `made_up`: one of them is nobody's.
    """

    back: str
    caption: str
    groups: tuple[AsSeenLink, ...]
    screens: tuple[AsSeenLink, ...]
    earlier: bool
    made_up: bool


ANY = uuid.UUID(int=0)
BY_ABILITY, TOGETHER = ("renew", "skip", "unskip", "give_back", "report"), ("partner", "flag", "chat")
"""Addresses of work that only a hold with these abilities has; of the latter, only shared work."""


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
    """Everything that the work template gets in addition to the sheet and the form. By default nothing can be saved."""

    id: str
    protocol: str
    stage: str
    title: str
    slug: str
    activity: str
    noun: Noun
    steps: tuple[StepperStage, ...]
    today: Today
    readonly: bool
    urls: dict[str, str]
    submission_key: str = ""
    seen: int = 0
    client: str = ""
    after: str = ""
    draft: dict[str, Any] | None = None
    draft_at: datetime | None = None
    draft_seq: int = 0
    draft_client: str = ""
    place: dict[str, Any] | None = None
    expires_in: int = 0
    revising: bool = False
    block: tuple[BlockPart, ...] = ()
    block_ends: datetime | None = None
    reopened: Reopened | None = None
    sealed: Sealed | None = None
    flags: tuple[flagging.FlagReasonChoice, ...] = ()
    withdraw: str = ""
    trial_of: str = ""
    """The page of the item that a lead tries, to go back to; an expert's of the references; "" for all other work."""
    is_reference: bool = False
    """Whether an expert writes a reference for exams."""
    in_course: CourseNotice | None = None
    """If it is an item of an exam or a tutorial: where one is in it."""
    judging: PlaceInRound | None = None
    """If it is an exhibit of a judging round: where one is in it."""
    dispute_url: str = ""
    """The dispute to which an expert writes an answer of their own; "" for everybody else's work."""
    as_seen: AsSeenNotice | None = None
    """If a lead looks at what annotators see: nothing can be sent or saved (frontend/leads/items/as_seen.py)."""

    @property
    def is_queued(self) -> bool:
        """Whether the next piece of the same work follows: not after a trial, nor in a course."""
        return not self.trial_of and self.in_course is None

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


def screen_of(held: AnyHold, work: Work, step: str, *, by: User, now: datetime, tab: PageLoad | None = None) -> Screen:
    """The screen of a step that was reached; `tab` is the page load to continue in, None for a new one."""
    project, hold = work.item.project, held.as_hold()
    work.step(step)
    readonly = work.locked(step)
    draft = None if readonly else work.draft(step)
    place = tabs.place_of(hold.place, step, draft)
    return Screen(
        id=str(hold.id),
        protocol=work.protocol.key,
        stage=step,
        title=project.title,
        slug=project.slug,
        activity=gettext(work.activity.title),
        noun=noun_of_activity(work.activity),
        steps=_steps(held, work, step),
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
        urls=_urls(held, work, step),
        sealed=_sealed(held, work, step),
        flags=flagging.reasons_of(work.activity),
        **held.screen_fields(work, step, now=now),
    )


def waiting_screen(held: AnyHold, work: Work, *, by: User, now: datetime) -> Screen:
    """The screen while waiting for a partner: there is nothing to answer or save."""
    project, hold, waited_for = work.item.project, held.as_hold(), work.following
    sent = taking_back.step_to_take_back(work, by=by)
    step = waited_for.step.address if isinstance(waited_for, Waiting) else ""
    return Screen(
        id=str(hold.id),
        protocol=work.protocol.key,
        stage=step,
        title=project.title,
        slug=project.slug,
        activity=gettext(work.activity.title),
        noun=noun_of_activity(work.activity),
        steps=_steps(held, work, step),
        seen=work.seen,
        client=str(randomness.handle()),
        after=str(hold.client or ""),
        expires_in=_seconds_left(hold, now=now),
        today=today_of(by, now=now),
        readonly=True,
        urls=_urls(held, work, step),
        flags=flagging.reasons_of(work.activity),
        withdraw=reverse("withdraw", args=[held.uuid, sent]) if sent else "",
    )


def _seconds_left(hold: Hold, *, now: datetime) -> int:
    return max(0, int((hold.deadline - now).total_seconds())) if hold.deadline else 0


def _sealed(held: AnyHold, work: Work, step: str) -> Sealed | None:
    """Where to leave a note if the step is sealed: the person may have changed their mind."""
    if not work.locked(step) or "reconsider" not in held.abilities:
        return None
    return Sealed(gettext(work.stage(step).title), reverse("reconsider", args=[held.uuid, step]))


def _steps(held: AnyHold, work: Work, step: str) -> tuple[StepperStage, ...]:
    """The stages that this item does not pass over; one with several turns links to the last that was reached."""
    at = records.Step.at(step).stage
    answered = {entry.stage for entry in work.own}
    reached = {each.stage: each.address for each in work.steps}
    keys = [each.key for each in work.activity.stages]
    alone = len(work.activity.seats) == 1
    passed = {key for key in keys[: keys.index(at)] if key not in reached} if alone and at in keys else set()
    coming = [each for each in work.activity.stages if each.key not in passed]
    found: tuple[StepperStage, ...] = ()
    if work.activity.picks == "search" and held.searched:
        found = (StepperStage("search", gettext("Find"), 1, "done", held.results_url()),)
    return found + tuple(
        StepperStage(
            key=each.key,
            title=gettext(each.title),
            number=number,
            state="now" if each.key == at else "done" if each.key in answered else "next",
            url=reverse("stage", args=[held.uuid, reached[each.key]]) if each.key in reached else None,
        )
        for number, each in enumerate(coming, start=1 + len(found))
    )


def _urls(held: AnyHold, work: Work, step: str) -> dict[str, str]:
    shared = len(work.activity.seats) > 1
    live = shared and held.as_hold().deadline is not None
    urls = _urls_of_any(step, work.item.project.slug, shared, live, held.abilities)
    found = {name: url.replace(str(ANY), str(held.uuid)) for name, url in urls}
    found["guidelines"] = held.guidelines_url or found["guidelines"]
    return found | ({"signing_in": signing_in.url(held.uuid)} if "socket" in found else {})


@lru_cache(maxsize=256)
def _urls_of_any(
    step: str, slug: str, shared: bool, live: bool, abilities: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """The addresses of a step of the work ANY: reversing them for each screen would take a tenth of drawing it."""
    urls = {name: reverse(name, args=[ANY]) for name in ("work", "take")}
    urls |= {name: reverse(name, args=[ANY]) for name in BY_ABILITY if name in abilities}
    urls |= {name: reverse(name, args=[ANY, step]) for name in ("stage", "draft", "kept", "frame", "find_quote")}
    urls["image"] = reverse("image", args=[ANY, step, 0]).removesuffix("0/")
    if shared:
        urls |= {name: reverse(name, args=[ANY]) for name in TOGETHER if name in abilities}
    if live and "socket" in abilities:
        urls["socket"] = reverse("socket_of_work", "frontend.sockets.admission", args=[ANY])
    urls["guidelines"] = f"{reverse('guidelines', args=[slug])}?of={ANY}&at={step}"
    if "messages" in abilities:
        urls["messages"] = f"{reverse('messages', args=[slug])}?about={ANY}"
    return tuple((urls | {"home": reverse("home")}).items())
