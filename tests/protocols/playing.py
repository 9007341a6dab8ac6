"""Play a protocol's example to every end through the site, crawling it at every step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import orjson
from django.urls import resolve, reverse

from annotation import clock, randomness
from annotation import protocol as registry
from annotation.drafts import save_draft
from annotation.models import Project, User
from annotation.protocol import Activity, Protocol
from annotation.records import Context, ItemRecord, Step
from annotation.work import Work
from frontend import access
from frontend.bots.bot import Bot
from tasks import assignments, queues, skip_and_return, submitting
from tasks.models import Assignment
from tasks.pairs import seating
from tests.builders import Worker, load, project, reload
from tests.people import join
from tests.protocols.crawling import ENDING, HTMX, Exchange, Recorder, look_around, occurs, place_of

EXAMPLES = Path(__file__).parent
PEER = {"name": "Zq7peername4d19", "draft": "Zq7peerdraft8c52", "skip": "Zq7peerskip1b74"}
"""Names and words of other people, which nobody else may see."""


def of_one_person() -> tuple[Protocol, ...]:
    """The protocols whose first activity is done by one person alone."""
    return tuple(found for found in registry.all_protocols() if len(found.activities[0].seats) == 1)


def hiding() -> tuple[Protocol, ...]:
    """The protocols whose sentinels name something that the first stage of their first activity hides."""
    return tuple(found for found in registry.all_protocols() if Example(found).hides_at_first())


def with_demos() -> tuple[Protocol, ...]:
    """The protocols that `make run` shows."""
    return tuple(found for found in registry.all_protocols() if found.demo is not None)


@dataclass(frozen=True)
class Example:
    """A protocol's example: its files, and word -> {where, stages, where_chosen} of its sentinels."""

    protocol: Protocol

    def path(self, name: str) -> Path:
        return EXAMPLES / self.protocol.key / "examples" / name

    @property
    def sentinels(self) -> dict[str, dict[str, Any]]:
        return orjson.loads(self.path("sentinels.json").read_bytes())

    def first_step(self) -> Step:
        """The first step of the first activity."""
        activity = self.protocol.activities[0]
        return self.protocol.next_step(Context(None, activity.key, seat=activity.seats[0]))

    def first(self) -> str:
        """The state in which the first stage of the first activity is next."""
        return f"> {self.first_step().address}"

    def hides_at_first(self) -> bool:
        """Whether a sentinel may not be seen at the first stage; if none, everything in an item is shown there."""
        return any(self.first_step().stage not in rule["stages"] for rule in self.sentinels.values())

    def opened(self, name: str = "items.jsonl", *, of: Activity | None = None, **config: Any) -> Project:
        """A project with the example's items, open to a hundred people each.

        If the activity `of` works on items that the file does not contain, other people have created some before.
        """
        numbers = {
            activity.key: {"overlap": {"train": 100}, "draw": "in_order"} for activity in self.protocol.activities
        }
        made = project("coast", protocol=self.protocol.key, activities=numbers, **config)
        load(made, self.path(name))
        if of is not None and not made.items.filter(kind=of.kind).exists():
            self._make_items(made, of)
        for activity in self.protocol.activities:
            queues.open_queue(made, activity.key, by=None, now=clock.now())
        return made

    def _make_items(self, into: Project, wanted: Activity) -> None:
        """Finish one piece of work of each other activity that has items, which creates the wanted items."""
        numbers = into.config["activities"]
        for activity in self.protocol.activities:
            if activity is not wanted and into.items.filter(kind=activity.kind).exists():
                into.config["activities"] = numbers | {activity.key: {"overlap": {"train": 1}}}
                into.save()
                queues.open_queue(into, activity.key, by=None, now=clock.now())
                finish_one(into, activity, "maker", Random(1))
        into.config["activities"] = numbers
        into.save()
        assert into.items.filter(kind=wanted.kind).exists(), f"no work makes items of the kind {wanted.kind}"


def finish_one(into: Project, activity: Activity, name: str, rng: Random) -> list[User]:
    """Do one piece of work to its end, by as many people as it has seats."""
    people = [member(into, f"{name}{place}") for place, _seat in enumerate(activity.seats)]
    if len(people) == 1:
        Bot(people[0], rng).finish_one(into, activity.key)
        return people
    held = seating.seat(into, activity.key, people, now=clock.now())
    while any(answered(row, rng) for row in held):
        pass
    return people


def answered(held: Assignment, rng: Random) -> bool:
    """Let the holder answer, through the services, what they are to answer now; False if there is nothing."""
    row = reload(held)
    work = assignments.work_of(row)
    if work.current is None:
        return False
    payload, step = work.protocol.bots.pretend(work.sheet(work.current), rng), work.current
    key, now = randomness.handle(), clock.now()
    submitting.commit(row, step, payload, by=row.annotator, key=key, seen=work.seen, now=now)
    return True


def member(into: Project, name: str) -> User:
    """An annotator without a password."""
    User.objects.create(username=name)
    return join(into, name)


def peers(into: Project, activity: Activity) -> dict[str, str]:
    """Let others work on the items: some are done, some have a draft, some are skipped; return what identifies them."""
    now = clock.now()
    finish_one(into, activity, PEER["name"], Random(1))
    held = claimed(into, activity, f"{PEER['name']}drafting")
    work, data = assignments.work_of(reload(held)), {"note": PEER["draft"]}
    client = randomness.handle()
    save_draft(work, author=held.annotator, step=work.current, client=client, seq=1, data=data, now=now)
    skipped = reload(claimed(into, activity, f"{PEER['name']}skipping"))
    skip_and_return.skip(skipped, by=skipped.annotator, reason="hard", text=PEER["skip"], now=now)
    rows = Assignment.objects.select_related("annotation", "annotator")
    named = {str(row.uuid): "their assignment" for row in rows} | {row.annotator.worker_code: "code" for row in rows}
    return named | {str(row.annotation.uuid): "their annotation" for row in rows} | {v: k for k, v in PEER.items()}


def claimed(into: Project, activity: Activity, name: str) -> Assignment:
    """The next work, held by new people; with several seats, that of the person whose turn it is."""
    people = [member(into, f"{name}{place}") for place, _seat in enumerate(activity.seats)]
    if len(people) == 1:
        return Worker(people[0], into, activity.key).claim(now=clock.now())
    held = seating.seat(into, activity.key, people, now=clock.now())
    return next(row for row in held if assignments.work_of(reload(row)).current)


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
        self.bot = Bot(self.user, self.rng, client=self.client)
        self.mine: Assignment | None = None

    def states(self) -> Iterator[tuple[str, ...]]:
        """Claim and answer to the end; yields, at each step, the stages answered so far and the next one."""
        page = self.bot.claim(self.project, self.activity.key)
        self.mine = Assignment.objects.get(uuid=resolve(page).kwargs["uuid"])
        for _ in range(20):
            work = self.work()
            yield (*(said.stage for said in work.said), f"> {work.current}")
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

    def look(self, words: list[str], *, items: bool = True, but: frozenset[str] = ENDING) -> list[Exchange]:
        """Request everything, with every name they know and with guesses; return the new exchanges."""
        names = {
            "uuid": [self.mine.uuid, *self.others, randomness.handle()],
            "step": [*self.addresses(), "guessed"],
            "own_steps": [*self.own_addresses(), "guessed"],
            "slug": [self.project.slug, "guessed"],
            "activity": [self.activity.key],
            "annotation": [self.mine.annotation.uuid],
            "item_id": [self.mine.task.item_id] if items else [],
            "version": [1],
            "name": ["manifest.json"],
            "place": [0, 1],
            "day": [clock.now().date()],
            "code": [self.user.worker_code],
        }
        look_around(self.client, names, own=self.mine.uuid, words=words, but=but)
        return self.client.taken()

    def addresses(self) -> list[str]:
        """An address of each stage, to be tried with everybody's work."""
        return [stage.key for stage in self.activity.stages]

    def own_addresses(self) -> list[str]:
        """The addresses of steps to be tried with the player's own work."""
        return self.addresses()

    def reached(self) -> dict[str, bytes]:
        """Step -> the bytes of its chosen box, for the steps that may be seen now; the current one is last."""
        work = self.work()
        if work.following is None or reload(self.mine).state not in access.IN_HAND:
            return {}
        found = {step.address: self.chosen(step.address) for step in work.steps if step.address != work.current}
        if work.current is None:
            return found | {f"waiting {work.seat}": b""}
        return found | {work.current: self.chosen(work.current)}

    def showing(self, exchange: Exchange, reached: dict[str, bytes]) -> str | None:
        """The step that a response may show: the one in its URL if it was reached, else the current one."""
        route, named = place_of(exchange)
        if not reached or (route != "claim" and named.get("uuid") != self.mine.uuid):
            return None
        current = [*reached][-1]
        committed = (route, exchange.method, exchange.status) == ("stage", "POST", 200)
        asked = current if committed else named.get("step", current)
        return asked if asked in reached else None

    def chosen(self, stage: str) -> bytes:
        """The bytes of the only box that a stage shows; None if it shows the whole page or no page."""
        work = self.work()
        shown = work.sheet(stage).frame
        if shown is None or shown.root is None:
            return b""
        document = work.record.documents[shown.document]
        box = document.layout.candidates[shown.root]
        return document.source[box.start_byte : box.end_byte]


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
        held = seating.seat(self.project, self.activity.key, people, now=clock.now())
        self.mine = held[here]
        page = reverse("work", args=[self.mine.uuid])
        self.client.force_login(self.user)
        for _ in range(40):
            work = self.work() if reload(self.mine).state == "leased" else None
            following = work and work.following
            here_now = "> None" if following is None else f"> {work.current or 'waiting'}"
            said = assignments.work_of(reload(self.mine)).said
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

    def addresses(self) -> list[str]:
        """Every stage in its first turn."""
        return [f"{stage.key}-1" for stage in self.activity.stages]

    def own_addresses(self) -> list[str]:
        """Every stage in every possible turn, and some that do not exist."""
        stages = self.activity.stages
        return [f"{each.key}-{turn}" for each in stages for turn in range(5)] + [each.key for each in stages]


def everything(item: ItemRecord) -> str:
    """Everything that an item and its documents contain, for sheets that leak on purpose."""
    return orjson.dumps(item.payload).decode() + "".join(
        each.source.decode(errors="replace") for each in item.documents
    )


def allowed(sentinel: str, rule: dict[str, Any], stage: str | None, chosen: bytes) -> bool:
    """Whether the word may occur in a response that shows this stage and this box."""
    return stage in rule["stages"] or (stage in rule.get("where_chosen", ()) and sentinel.encode() in chosen)


def judged(
    player: Player, rules: dict[str, dict[str, Any]], exchanges: list[Exchange]
) -> Iterator[tuple[str, str, Exchange, bool]]:
    """(word, stage, exchange, allowed) for every sentinel in what the player was sent in this state."""
    reached = player.reached()
    for exchange in exchanges:
        stage = player.showing(exchange, reached)
        shown = Step.at(stage).stage if stage else None
        for word, rule in rules.items():
            if word not in exchange.path and occurs(word, exchange.sent):
                yield word, shown or "", exchange, allowed(word, rule, shown, reached.get(stage or "", b""))
