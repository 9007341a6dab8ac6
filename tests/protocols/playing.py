"""Play a piece of work to every end through the site, crawling it at every step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from django.urls import resolve, reverse

from annotation import clock, randomness, registry
from annotation.engine.loading import item_record
from annotation.engine.work import Work
from annotation.models import Project, User
from annotation.protocol import Activity
from annotation.values.records import Context, Step, Waiting
from frontend import access
from frontend.bots.bot import Bot
from frontend.work.holds.assignment_hold import IN_HAND
from qualification import api_tokens
from qualification.models import ApiToken, TokenScope
from tasks.engine import assignments
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tasks.pairs import matching
from tests.builders import reload
from tests.protocols.crawling import ENDING, GUESSED, HTMX, REFUSED, Exchange, Recorder, Way, look_around, place_of
from tests.protocols.peers import answered, begun, from_the_lobby, member
from tests.proving import SHARE

LONGEST = 300
"""More steps than any work has, the partner's included."""


def player_of(user: User, into: Project, activity: Activity, rng: Random, others: list[Any], place: int = 0) -> Player:
    """A player of one piece of work; with several seats, in the seat of that number (modulo)."""
    if len(activity.seats) == 1:
        return Player(user, into, activity, rng, others)
    return Seated(user, into, activity, rng, others, seat=activity.seats[place % len(activity.seats)])


@dataclass
class Player:
    """One person who plays one piece of work and crawls the site before and after each stage."""

    user: User
    project: Project
    activity: Activity
    rng: Random
    others: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = Recorder()
        self.client.secret = token_of(self.user)
        self.bot = Bot(self.user, self.rng, client=self.client)
        self.mine: Assignment | None = None

    def states(self) -> Iterator[tuple[str, ...]]:
        """Claim and answer to the end; yields, at each step, the stages answered so far and the next one."""
        if from_the_lobby(self.project, self.activity):
            [self.mine] = begun(self.project, self.activity, [self.user])
            page = reverse("work", args=[self.mine.uuid])
        else:
            page = self.bot.claim(self.project, self.activity.key)
            self.mine = Assignment.objects.get(uuid=resolve(page).kwargs["uuid"])
        for _ in range(LONGEST):
            work = self.work()
            yield (*(said.stage for said in work.answers), f"> {work.current}")
            if work.current is None:
                return
            payload = work.protocol.bots.pretend(work.sheet(work.current), self.rng)
            form = self.bot.filled(page, self.mine.uuid, work.protocol.key, work.current, payload)
            self.client.taken()  # the page with the form: it belongs to the state before the answer
            self.client.post(*form, headers=HTMX)
        raise AssertionError("The work does not come to an end.")

    def work(self) -> Work:
        """The work in its current state."""
        return assignments.work_of(access.own_assignment(self.user, self.mine.uuid))

    def look(
        self,
        words: list[str],
        *,
        items: bool = True,
        but: frozenset[str] = ENDING,
        guesses: bool = True,
        pages: bool = True,
        posts: bool = True,
        refused: set[Way] = REFUSED,
    ) -> list[Exchange]:
        """Request everything, with every name they know and, if asked, with guesses; return the new exchanges.

        Without `pages`, leave out those that are about no work; without `posts`, request only pages.
        """
        names = {
            "uuid": [self.mine.uuid, *self.others, randomness.handle()],
            "step": [*self.addresses(), GUESSED],
            "own_steps": [*self.own_addresses(), GUESSED],
            "slug": [self.project.slug, GUESSED],
            "activity": [self.activity.key],
            "seat": [self.activity.seats[0]],
            "annotation": [self.mine.annotation.uuid],
            "item_id": [self.mine.task.item_id] if items else [],
            "case": [1],
            "to": ["upheld"],
            "version": [1],
            "name": ["manifest.json"],
            "place": [0, 1],
            "day": [clock.now().date()],
            "code": [self.user.worker_code],
        }
        own = self.mine.uuid
        how = {"guesses": guesses, "pages": pages, "posts": posts, "refused": refused}
        look_around(self.client, names, own=own, words=words, but=but, **how)
        return self.client.taken()

    def addresses(self) -> list[str]:
        """An address of each stage, in its first turn if it has any, to be tried with everybody's work."""
        return [Step(stage.key, self.first_turn).address for stage in self.activity.stages]

    def own_addresses(self) -> list[str]:
        """The addresses to be tried with the player's own work: in a dialogue, those of this turn and the one before.

        Of the next turn it is that of the first stage. In `make prove` all of the next turn, and those of the first
        turn and of none.
        """
        if not self.first_turn:
            return self.addresses()
        work = self.work()
        at = work.following.step if isinstance(work.following, Waiting) else work.following
        now = at.turn if at else max(entry.turn for entry in work.answers)
        turns = sorted({*range(max(0, now - 1), now + 1), *((0, 1, now + 1) if SHARE else ())})
        found = [Step(stage.key, turn).address for stage in self.activity.stages for turn in turns]
        later = Step(self.activity.stages[0].key, now + 1).address
        return found if later in found else [*found, later]

    @property
    def first_turn(self) -> int:
        """The turn of the first step: 0 if the stages come only once."""
        protocol = registry.get(self.project.protocol)
        item = self.project.items.filter(kind=self.activity.kind).first()
        record = item_record(item) if item else None
        return protocol.next_step(Context(record, self.activity.key, seat=self.activity.seats[0])).turn

    def reached(self, *, boxes: bool) -> dict[str, bytes]:
        """Steps that may be seen now, the current one last -> the bytes of their boxes (none without `boxes`)."""
        work = self.work()
        if work.following is None or reload(self.mine).state not in IN_HAND:
            return {}
        steps = [step.address for step in work.steps if step.address != work.current]
        if work.current is not None:
            steps.append(work.current)
        found = {step: chosen(work, step) if boxes else b"" for step in steps}
        return found if work.current is not None else found | {f"waiting {work.seat}": b""}

    def showing(self, exchange: Exchange, reached: dict[str, bytes]) -> str | None:
        """The step that a response may show: the one in its URL if it was reached, else the current one.

        Home names the work that is held as its current step does.
        """
        route, named = place_of(exchange)
        if not reached or (route not in ("claim", "api_claim", "home") and named.get("uuid") != self.mine.uuid):
            return None
        current = [*reached][-1]
        committed = (route, exchange.method, exchange.status) == ("stage", "POST", 200)
        asked = current if committed else named.get("step", current)
        return asked if asked in reached else None

    def finished(self) -> set[str]:
        """The stages of finished work that this person has answered, which they may read again."""
        done = reload(self.mine).state == AssignmentState.SUBMITTED
        return {entry.stage for entry in self.work().own} if done else set()


@dataclass
class Seated(Player):
    """One of several people who make an annotation together; the partners answer through the services."""

    seat: str = ""

    def states(self) -> Iterator[tuple[str, ...]]:
        """As for work that is done alone, plus the states `> waiting` while the others are to answer."""
        here = self.activity.seats.index(self.seat)
        people = [
            self.user if place == here else member(self.project, f"{self.user.username}-{seat}")
            for place, seat in enumerate(self.activity.seats)
        ]
        held = matching.seat(self.project, self.activity.key, people, now=clock.now())
        self.mine = held[here]
        page = reverse("work", args=[self.mine.uuid])
        self.client.force_login(self.user)
        for _ in range(LONGEST):
            work = self.work() if reload(self.mine).state == "leased" else None
            following = work and work.following
            here_now = "> None" if following is None else f"> {work.current or 'waiting'}"
            said = assignments.work_of(reload(self.mine)).answers
            yield (*(entry.stage for entry in said), here_now)
            if following is None:
                return
            if work.current is None:
                assert any(answered(row, self.rng) for row in held if row is not self.mine)
                continue
            payload = work.protocol.bots.pretend(work.sheet(work.current), self.rng)
            form = self.bot.filled(page, self.mine.uuid, work.protocol.key, work.current, payload)
            self.client.taken()
            self.client.post(*form, headers=HTMX)
        raise AssertionError("The work does not come to an end.")


def token_of(user: User) -> str:
    """The secret of a token for the person's own work: always the same, so that the worlds differ in nothing else."""
    token, _secret = api_tokens.make(user, name="script", scope=TokenScope.WORK, project=None, days=30, now=clock.now())
    secret = f"{api_tokens.PREFIX}{user.username}"
    ApiToken.objects.filter(pk=token.pk).update(secret_sha256=sha256(secret.encode()).hexdigest())
    return secret


def chosen(work: Work, stage: str) -> bytes:
    """The bytes of the only box that a stage shows; none if it shows the whole page or no page."""
    shown = work.sheet(stage).frame
    if shown is None or shown.root is None:
        return b""
    document = work.record.documents[shown.document]
    box = document.layout.candidates[shown.root]
    return document.source[box.start_byte : box.end_byte]
