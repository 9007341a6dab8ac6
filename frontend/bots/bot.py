"""Scripted annotators that use the real pages through Django's test client: for the demo, tests and load.

With what they do: how their work ends, at which rates, and with how much care it is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any

from django.test import Client
from django.urls import resolve, reverse

from annotation import randomness, registry
from annotation.models import Project, User
from annotation.protocol import Activity
from annotation.values.sheets import Sheet
from frontend import access
from frontend.server.wrappers import without_prefix


class WorkEnding(StrEnum):
    """How a piece of work ends."""

    IN_TIME = "in time"
    LATE = "late"
    ABANDONED = "abandoned"
    RETURNED = "returned"


@dataclass(frozen=True)
class Rates:
    """Shares (0..1) of all pieces of work; `wrong` is independent of the others."""

    wrong: float = 0.15
    late: float = 0.02
    abandoned: float = 0.03
    returned: float = 0.05

    def __post_init__(self) -> None:
        shares = (self.late, self.abandoned, self.returned)
        if not all(0 <= share <= 1 for share in (self.wrong, *shares)) or sum(shares) > 1:
            raise ValueError("Rates must be between 0 and 1, and late, abandoned and returned add up to at most 1.")

    def draw(self, rng: Random) -> WorkEnding:
        """How the next piece ends."""
        shares = (self.late, self.abandoned, self.returned)
        courses = (WorkEnding.LATE, WorkEnding.ABANDONED, WorkEnding.RETURNED, WorkEnding.IN_TIME)
        return rng.choices(courses, (*shares, 1 - sum(shares)))[0]


@dataclass
class Thinker:
    """What a bot answers: all careful ones give the same answer to a step of an item, whatever the crowd's seed; a
    careless one (`wrong`) gives a random answer, which may happen to be the same."""

    project: Project
    activity: Activity
    rng: Random
    wrong: bool = False

    def think(self, sheet: Sheet, where: str, rng: Random) -> dict[str, Any]:
        """The payload for a sheet; `where`: the item and, in work of several turns, the step."""
        bots = registry.get(self.project.protocol).bots
        if bots is None:
            raise AssertionError(f"{self.project.protocol} has no bots")
        known = randomness.rng("careful", self.activity.key, where, sheet.stage)
        return bots.pretend(sheet, rng if self.wrong else known)


HIDDEN_FIELD = re.compile(r'<input type="hidden" name="(submission_key|seen|client|after|base)" value="([^"]*)">')
RESULT = re.compile(r'<input type="hidden" name="item" value="([^"]+)">')
Form = tuple[str, dict[str, Any]]
"""The URL that a form posts to, and its fields."""


class Browser(Client):
    """Django's test client, which knows nothing of a path prefix."""

    def request(self, **request: Any) -> Any:
        """Send a request (a WSGI environment)."""
        return super().request(**request | {"PATH_INFO": without_prefix(request["PATH_INFO"])})


@dataclass
class Bot:
    """One person's headless browser; `think(sheet, where, rng)` answers, else the protocol's `pretend`.

    `where`: the item's id and, in work of several turns, the step. `cut`: the share of answers whose response is lost,
    so that they are sent again as a page does; `cuts`: how many were. `accepted`: the idempotency keys of all answers.
    """

    user: User
    rng: Random
    think: Callable[[Sheet, str, Random], dict[str, Any]] | None = None
    client: Browser = field(default_factory=lambda: Browser(SERVER_NAME="127.0.0.1"))
    cut: float = 0.0
    cuts: int = 0
    accepted: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.client.force_login(self.user)

    def consent(self, project: Project) -> None:
        """Accept the consent text."""
        self.client.post(reverse("consent", args=[project.slug]))

    def finish_one(self, project: Project, activity: str) -> bool:
        """Claim one piece of work and finish it; False if there was none."""
        page = self.claim(project, activity)
        if page is None:
            return False
        while page is not None:
            page = self.answer(page)
        return True

    def claim(self, project: Project, activity: str, **chosen: str) -> str | None:
        """Claim work; the URL of its page, or None."""
        return self.post(reverse("claim", args=[project.slug, activity]), chosen)

    def choose(self, project: Project, activity: Activity) -> str | None:
        """Claim a random result of a search, for an example query of the activity or none; None without results."""
        query = self.rng.choice(("", *map(str, activity.searches)))
        shown = self.client.get(reverse("search", args=[project.slug, activity.key]), {"q": query}, follow=True)
        results = RESULT.findall(shown.content.decode())
        return self.claim(project, activity.key, item=self.rng.choice(results)) if results else None

    def answer(self, page: str) -> str | None:
        """Answer the stage at that URL; return the URL again while the same work continues, else None."""
        following = self.post(*self.answered(page))
        return page if following == page else None

    def answered(self, page: str) -> Form:
        """The form of the stage at that URL, filled in but not sent."""
        uuid = resolve(page).kwargs["uuid"]
        work = access.own_hold(self.user, uuid).work()
        step = work.current
        if step is None:
            raise AssertionError(f"{page} has no step left to answer")
        sheet = work.sheet(step)
        if self.think is not None:
            where = work.item.external_id if step == sheet.stage else f"{work.item.external_id} {step}"
            payload = self.think(sheet, where, self.rng)
        elif work.protocol.bots is not None:
            payload = work.protocol.bots.pretend(sheet, self.rng)
        else:
            raise AssertionError(f"{work.protocol.key} has no bots")
        return self.filled(page, uuid, work.protocol.key, step, payload)

    def give_back(self, page: str) -> None:
        """Return the work at that URL; the reason is for a partner who is left."""
        self.post(reverse("give_back", args=[resolve(page).kwargs["uuid"]]), {"reason": "time"})

    def post(self, url: str, fields: dict[str, Any]) -> str | None:
        """Send a form; the URL of the work that it redirects to, or None. AssertionError if it is refused."""
        response = self.client.post(url, fields)
        key = fields.get("submission_key")
        if key and self.cut and self.rng.random() < self.cut:
            self.cuts += 1
            response = self.client.post(url, fields)
        if response.status_code >= 400:
            raise AssertionError(f"{url} answered {response.status_code}: {fields}")
        if key:
            self.accepted.add(key)
        where = without_prefix(response.get("Location", ""))
        return where if where.startswith("/work/") else None

    def filled(self, page: str, uuid: Any, protocol: str, stage: str, payload: dict[str, Any]) -> Form:
        """The form of a stage with this payload, and the hidden fields of the page as it is now."""
        url = reverse("stage", args=[uuid, stage])
        # When the lease has expired, the page has no form: "Go on with this" links to the stage.
        hidden = self._hidden(page) or self._hidden(url)
        return url, hidden | registry.form_of(protocol, stage).fields_of(payload)

    def _hidden(self, page: str) -> dict[str, str]:
        return dict(HIDDEN_FIELD.findall(self.client.get(page).content.decode()))
