"""Play a protocol's example to its ends through the site, looking around at every step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import orjson
from django.urls import resolve

from annotation import clock, randomness
from annotation.drafts import save_draft
from annotation.models import Project, User
from annotation.protocol import Activity, Protocol
from annotation.work import Work
from frontend import access
from frontend.bots.bot import Bot
from tasks import assignments, queues, skip_and_return
from tasks.models import Assignment
from tests.builders import Worker, load, project, reload
from tests.people import join
from tests.protocols.crawling import ENDING, HTMX, Exchange, Recorder, look_around, occurs, place_of

EXAMPLES = Path(__file__).parent
PEER = {"name": "Zq7peername4d19", "draft": "Zq7peerdraft8c52", "skip": "Zq7peerskip1b74"}
"""What other people are and say: never anybody else's to see."""


@dataclass(frozen=True)
class Example:
    """A protocol's example: its files, and word -> {where, stages, where_chosen} of its sentinels."""

    protocol: Protocol

    def path(self, name: str) -> Path:
        return EXAMPLES / self.protocol.key / "examples" / name

    @property
    def sentinels(self) -> dict[str, dict[str, Any]]:
        return orjson.loads(self.path("sentinels.json").read_bytes())

    def opened(self, name: str = "items.jsonl", **config: Any) -> Project:
        """A project with the example's items, open to a hundred people each."""
        activities = {
            activity.key: {"overlap": {"train": 100}, "draw": "in_order"} for activity in self.protocol.activities
        }
        made = project("coast", protocol=self.protocol.key, activities=activities, **config)
        load(made, self.path(name))
        for activity in self.protocol.activities:
            queues.open_queue(made, activity.key, by=None, now=clock.now())
        return made


def member(into: Project, name: str) -> User:
    """An annotator without a password."""
    User.objects.create(username=name)
    return join(into, name)


def peers(into: Project, activity: Activity) -> dict[str, str]:
    """Three others have worked on the items: one is done, one has a draft, one has skipped; what names them."""
    now = clock.now()
    done, drafting, skipping = (member(into, f"{PEER['name']}{number}") for number in range(3))
    bot = Bot(done, Random(1))
    bot.finish_one(into, activity.key)
    held = reload(Worker(drafting, into, activity.key).claim(now=now))
    work, data = assignments.work_of(held), {"note": PEER["draft"]}
    client = randomness.handle()
    save_draft(work, author=drafting, step=work.current, client=client, seq=1, data=data, now=now)
    skipped = Worker(skipping, into, activity.key).claim(now=now)
    skip_and_return.skip(skipped, by=skipping, reason="hard", text=PEER["skip"], now=now)
    rows = Assignment.objects.select_related("annotation", "annotator")
    named = {str(row.uuid): "their assignment" for row in rows} | {row.annotator.worker_code: "code" for row in rows}
    return named | {str(row.annotation.uuid): "their annotation" for row in rows} | {v: k for k, v in PEER.items()}


@dataclass
class Player:
    """One person who plays one piece of work and looks around before and after each stage."""

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
        """Claim and answer to the end; yields, at each step, the stages answered so far and the one to be answered."""
        page = self.bot.claim(self.project, self.activity.key)
        self.mine = Assignment.objects.get(uuid=resolve(page).kwargs["uuid"])
        for _ in range(20):
            work = self.work()
            yield (*(said.stage for said in work.said), f"> {work.current}")
            if work.current is None:
                return
            payload = work.protocol.demo.pretend(work.sheet(work.current), self.rng)
            form = self.bot.filled(page, self.mine.uuid, work.protocol.key, work.current, payload)
            self.client.taken()  # the page with the form: it belongs to the state before the answer
            self.client.post(*form, headers=HTMX)
        raise AssertionError("The work does not come to an end.")

    def work(self) -> Work:
        """The work as it stands now."""
        return assignments.work_of(access.own_assignment(self.user, self.mine.uuid))

    def look(self, words: list[str], *, items: bool = True, but: frozenset[str] = ENDING) -> list[Exchange]:
        """Ask for everything with every name that they have, and with names that they guess; what came since."""
        names = {
            "uuid": [self.mine.uuid, *self.others, randomness.handle()],
            "stage": [*(stage.key for stage in self.activity.stages), "guessed"],
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

    def reached(self) -> dict[str, bytes]:
        """Stage -> the bytes of its chosen box, of the stages that may be seen now; the current one stands last."""
        work = self.work()
        if work.current is None or reload(self.mine).state not in access.IN_HAND:
            return {}
        found = [stage.key for stage in work.activity.stages if work.reached(stage.key)]
        return {stage: self.chosen(stage) for stage in sorted(found, key=lambda stage: stage == work.current)}

    def showing(self, exchange: Exchange, reached: dict[str, bytes]) -> str | None:
        """The stage that an answer may show: the one that its address names if it was reached, else the current."""
        route, named = place_of(exchange)
        if not reached or (route != "claim" and named.get("uuid") != self.mine.uuid):
            return None
        current = [*reached][-1]
        committed = (route, exchange.method, exchange.status) == ("stage", "POST", 200)
        asked = current if committed else named.get("stage", current)
        return asked if asked in reached else None

    def chosen(self, stage: str) -> bytes:
        """The bytes of the only box that a stage shows; none where it shows the whole page or no page."""
        work = self.work()
        shown = work.sheet(stage).frame
        if shown is None or shown.root is None:
            return b""
        document = work.record.documents[shown.document]
        box = document.layout.candidates[shown.root]
        return document.source[box.start_byte : box.end_byte]


def allowed(sentinel: str, rule: dict[str, Any], stage: str | None, chosen: bytes) -> bool:
    """Whether the word may stand in an answer that shows this stage and this box."""
    return stage in rule["stages"] or (stage in rule.get("where_chosen", ()) and sentinel.encode() in chosen)


def judged(
    player: Player, rules: dict[str, dict[str, Any]], exchanges: list[Exchange]
) -> Iterator[tuple[str, str, Exchange, bool]]:
    """(word, stage, exchange, whether it may be there) of every sentinel in what the player was sent in this state."""
    reached = player.reached()
    for exchange in exchanges:
        stage = player.showing(exchange, reached)
        for word, rule in rules.items():
            if word not in exchange.path and occurs(word, exchange.sent):
                yield word, stage or "", exchange, allowed(word, rule, stage, reached.get(stage or "", b""))
