"""What the work screen needs of somebody's hold on a piece of work, whatever kind of hold it is."""

from __future__ import annotations

import uuid as uuids
from abc import ABC, abstractmethod
from datetime import datetime
from typing import Any, ClassVar, Unpack

from django.http import HttpResponse
from django.utils.datastructures import MultiValueDict

from annotation.engine.committing import AnswerSent
from annotation.engine.drafts import PageLoad
from annotation.engine.work import Hold, Work
from annotation.errors import AlreadyClosed, NotFound
from annotation.html.limits import PageRefused
from annotation.models import Annotation, Draft, Project, User
from annotation.models.case import FlagReason
from annotation.values.sheets import Sheet
from annotation.worktime.spans import BookedWork
from frontend.requests import AuthedRequest
from frontend.work.revoked import Away
from qualification.models import Try
from tasks.engine.submitting import CommitOutcome
from tasks.models import Assignment


class AnyHold(ABC):
    """One person's hold on a piece of work, with the same addresses, drafts, scripts and templates for every kind.

    `abilities`: what one may do besides answering, by the names of its addresses; what is not among them is neither
    offered nor found. `searched`: whether the work was found in a search, to whose results one can go back.
    """

    abilities: ClassVar[frozenset[str]]
    searched: ClassVar[bool]

    @property
    @abstractmethod
    def traced(self) -> Assignment | Try:
        """The row of the hold, which the traces of its screens are about."""

    @property
    def uuid(self) -> uuids.UUID:
        """What its addresses name."""
        return self.traced.uuid

    @property
    def annotation(self) -> Annotation:
        """What they answer."""
        return self.traced.annotation

    @property
    @abstractmethod
    def person(self) -> User:
        """Whose it is."""

    @property
    @abstractmethod
    def project(self) -> Project:
        """The project of the item."""

    @property
    @abstractmethod
    def in_hand(self) -> bool:
        """Whether the material may still be shown, and answered."""

    @property
    @abstractmethod
    def is_sent(self) -> bool:
        """Whether it was finished, and counts as the person left it."""

    @property
    @abstractmethod
    def state(self) -> str:
        """Its state, for scripts."""

    @property
    def hides(self) -> bool:
        """Whether the material may no longer be shown, not even beside what the person has written."""
        return False

    @property
    def guidelines_url(self) -> str:
        """Where this work says what is asked; "" for the project's guidelines."""
        return ""

    @property
    @abstractmethod
    def end_url(self) -> str:
        """Where one goes once all is sent; "" if the next work is claimed."""

    @abstractmethod
    def work(self) -> Work:
        """The work as it is now."""

    @abstractmethod
    def as_hold(self) -> Hold:
        """The values of the hold."""

    @abstractmethod
    def why_closed(self) -> AlreadyClosed:
        """Why nothing more can be written."""

    @abstractmethod
    def instead(self, request: AuthedRequest, work: Work) -> HttpResponse | None:
        """What is shown in place of the current step: that the work is over, or has to be taken up again; else None."""

    @abstractmethod
    def commit(
        self, step: str, payload: dict[str, Any], *, left: dict[str, Any] | None, **sent: Unpack[AnswerSent]
    ) -> CommitOutcome:
        """Write the answer to a step, as `tasks.engine.submitting.commit`."""

    @abstractmethod
    def save_draft(
        self, step: str, data: dict[str, Any], *, tab: PageLoad, seq: int, seen: int, now: datetime
    ) -> Draft:
        """Save the draft of a step, as `submitting.save_draft`."""

    @abstractmethod
    def take_over(self, *, client: uuids.UUID, now: datetime) -> None:
        """Make this page load the one that may write."""

    @abstractmethod
    def save_place(self, *, client: uuids.UUID, step: str, view: dict[str, Any], now: datetime) -> None:
        """Save where the person is on a page that they leave."""

    def renewed(self, *, now: datetime) -> datetime | None:
        """Until when it is held, after renewing it if that is among its abilities; None: it has ended, or no end."""
        return None

    def ends_at(self) -> datetime | None:
        """Until when it is held, as saving a draft has left it; None: it has ended, or has no end."""
        return None

    def booked(self, work: Work, step: str) -> BookedWork | None:
        """What the time at a step is booked on; None if it is not counted."""
        return None

    @abstractmethod
    def report(self, *, reason: FlagReason, text: str, now: datetime) -> None:
        """Report that something is wrong with the item."""

    @abstractmethod
    def hold_back(self, *, why: str, now: datetime) -> None:
        """Keep others from the item, whose page can't be shown."""

    def form(self, work: Work, step: str, posted: MultiValueDict[str, Any]) -> Any:
        """The form of a step, bound to the posted fields.

        If the activity picks by search, plus `search_query`, the query that found this work ("": at random, or it was
        not searched for), from the record: it is not taken from the browser.
        """
        if work.activity.picks == "search":
            posted = posted.copy()
            posted["search_query"] = self.query()
        return work.form_of(step)(posted)

    def completed(self, work: Work, payload: dict[str, Any]) -> dict[str, Any]:
        """An answer that is no form of a page, with what the form takes from the record."""
        return payload | {"search_query": self.query()} if work.activity.picks == "search" else payload

    def sheet(self, work: Work, step: str, *, now: datetime) -> Sheet:
        """The sheet of a step; if its page can't be shown, the work is returned and held back from everybody."""
        try:
            return work.sheet(step)
        except PageRefused as why:
            self.hold_back(why=why.reason, now=now)
            raise

    def template_of(self, work: Work, step: str) -> str:
        """The template of the screen of a step."""
        return f"{work.protocol.key}/{work.stage(step).key}.html"

    def query(self) -> str:
        """The query of the search that found this work."""
        return ""

    def results_url(self) -> str:
        """The results of the search that found this work."""
        raise NotFound

    def may_replace(self, work: Work, step: str, *, now: datetime) -> bool:
        """Whether a second version of the answer to a step may replace the first, after all was sent."""
        return False

    def replace(
        self, step: str, payload: dict[str, Any], *, key: uuids.UUID, seen: int, now: datetime
    ) -> CommitOutcome:
        """Have the second version count."""
        raise self.why_closed()

    def may_stop(self) -> bool:
        """Whether *Finish and stop* leads home: nothing else of the same work is left."""
        return False

    def way_on(self) -> tuple[str, str]:
        """The address at which the person goes on, and the method by which it is asked for."""
        return self.end_url, "get"

    def away(self, request: AuthedRequest, refused: Exception) -> Away | None:
        """The notice to a person whose work was taken away."""
        return None

    def screen_fields(self, work: Work, step: str, *, now: datetime) -> dict[str, Any]:
        """What its kind adds to `frontend.work.screen.Screen`, by the names of the fields."""
        return {}
