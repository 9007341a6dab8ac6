"""Plays the history of a demo project through the services, at the times at which it is said to have happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from annotation import membership, randomness, registry, releases
from annotation.engine import exclusion
from annotation.engine.work import Work
from annotation.models import Item, Project, Role, User
from annotation.models.case import FlagReason
from annotation.protocol_tools import Demo, DemoRound, Scene
from annotation.worktime import spans
from tasks import corrections
from tasks.disputes import deciding, who
from tasks.engine import assignments, claiming, queues, skip_and_return, submitting
from tasks.items import reports
from tasks.models import Assignment, Ticket
from tasks.models.states import AssignmentState, TicketState
from tasks.pairs import lobby

LEAD = "lena"
"""Who leads the demo's projects."""
EXPERT = "erin"
"""An expert in every project; she sees others' answers only where she has decided a dispute."""
APART = timedelta(minutes=10)
"""Between two scenes of a day; no scene may take longer."""
SHIFT = timedelta(hours=3)
ROUNDS_APART = timedelta(minutes=100)
"""Between the seals of two judging rounds of a project; no round may take longer, nor all of them a SHIFT."""
ACTIVE = 0.6
"""Share of their time at a stage in which people use mouse and keys."""


def beginning(demo: Demo, *, now: datetime) -> datetime:
    """When the project began: two days before its first scene."""
    return now - timedelta(days=2 + max((scene.day for scene in demo.story), default=0))


def dated(story: tuple[Scene, ...], *, now: datetime, place: int) -> Iterator[tuple[datetime, Scene]]:
    """Each scene with its time; `place`: which of the projects this is, so that people work in one after another.

    The last scene of a day is at the time of day that it is now, less APART and, except for today, `place` SHIFTs.
    """
    left = Counter(scene.day for scene in story)
    for scene in story:
        earlier = place * SHIFT if scene.day else timedelta(0)
        yield now - timedelta(days=scene.day) - left[scene.day] * APART - earlier, scene
        left[scene.day] -= 1


def rounds_dated(rounds: tuple[DemoRound, ...], *, now: datetime, place: int) -> Iterator[tuple[datetime, DemoRound]]:
    """Each judging round with the time of its seal: one after another, after the scenes of their day."""
    for number, told in enumerate(rounds):
        yield now - timedelta(days=told.day) - place * SHIFT + number * ROUNDS_APART, told


def _at_work(seats: list[Assignment]) -> Assignment:
    """Whose turn it is among those who share the work; the only one, whatever is left to do."""
    if len(seats) == 1:
        return seats[0]
    return next((row for row in seats if assignments.work_of(row).current), seats[0])


class History:
    """Plays scenes in a project whose queues are open; `play` raises LookupError for what does not fit."""

    def __init__(self, project: Project, demo: Demo) -> None:
        self.project, self.demo = project, demo
        self.protocol = registry.get(project.protocol)
        self._items: dict[str, Item] = {}
        self._drawn: dict[str, Item] = {}
        self._people: dict[str, User] = {}

    def join(self, name: str, role: str = Role.ANNOTATOR, *, consents: bool = True, now: datetime) -> None:
        """Add somebody to the project, without a password; the people of the story have accepted the consent text."""
        User.objects.get_or_create(username=name, defaults={"password": make_password(None)})
        user, _ = membership.add(project=self.project, username=name, role=role, by=None, now=now)
        if consents:
            membership.accept_consent(user=user, project=self.project, now=now)
        self._people[name] = user

    def person(self, name: str) -> User:
        """Somebody who has joined."""
        return self._people[name]

    def play(self, scene: Scene, *, at: datetime) -> None:
        """Do what the scene tells, in one transaction: a commit to the disk after each answer would take half the time.

        A release reads what is committed, so it is built outside of one.
        """
        if scene.ends == "released":
            format = self.protocol.formats[0].key
            releases.build(self.project, format=format, by=self._people[LEAD], now=at, partial=True)
            return
        with transaction.atomic():
            self._act(scene, at=at)

    def _act(self, scene: Scene, *, at: datetime) -> None:
        if scene.ends in ("reopened", "excluded"):
            self._judge(scene, at=at)
        elif scene.ends == "decided":
            self._decide(scene, at=at)
        else:
            self._work(scene, at=at)

    def _judge(self, scene: Scene, *, at: datetime) -> None:
        uuid = self._answered(scene).annotation.uuid
        if scene.ends == "reopened":
            corrections.reopen(self.project, uuid, by=self._people[LEAD], reason=scene.note, now=at)
        else:
            exclusion.exclude(self.project, uuids=[uuid], by=self._people[LEAD], reason=scene.note, now=at)

    def _decide(self, scene: Scene, *, at: datetime) -> None:
        """An expert sees everybody's answers, from now on at the latest, and decides for one of them."""
        expert, item = self._people[scene.who], self._item(scene.item)
        task = deciding.task_of(item, scene.activity)
        if task is None:
            raise LookupError(f"{scene.item!r} is not disputed.")
        who.begin(expert, self.project, now=at)
        chosen = item.annotations.get(activity=scene.activity, author=self._people[scene.says])
        deciding.decide(task, chosen.uuid, by=expert, reason=scene.note, now=at)

    def _work(self, scene: Scene, *, at: datetime) -> None:
        begun, seats = self._taken_up(scene, at=at)
        if scene.ends in ("skipped", "reported"):
            self._leave_with_reason(seats[0], scene, now=begun + timedelta(seconds=scene.seconds))
            return
        share = scene.seconds // max(1, scene.answers or self._stages_of(seats[0]))
        sent, at = 0, begun
        mine: Assignment | None = _at_work(seats)
        while mine is not None and not (scene.ends in ("begun", "left") and sent == scene.sends):
            at += timedelta(seconds=share)
            mine = self._send(mine, seats, scene, seconds=share, now=at)
            sent += 1
        if scene.ends == "begun" and mine is not None:
            self._draft(mine, scene, seconds=share, now=at + timedelta(seconds=share))
        if scene.ends == "left" and mine is not None:
            skip_and_return.give_back(mine, by=mine.annotator, now=at + timedelta(seconds=share))

    def _taken_up(self, scene: Scene, *, at: datetime) -> tuple[datetime, list[Assignment]]:
        """When the work began, and the assignments of everybody who shares it."""
        if scene.partners:
            return self._seated(scene, at=at)
        held = self._answered(scene) if scene.ends == "revised" else self._claimed(scene, at=at)
        return at, [held]

    def _leave_with_reason(self, held: Assignment, scene: Scene, *, now: datetime) -> None:
        self.spend(held, scene.seconds, work=assignments.work_of(held), now=now)
        if scene.ends == "skipped":
            skip_and_return.skip(held, by=held.annotator, reason=scene.reason, text=scene.note, now=now)
        else:
            reports.report(held, by=held.annotator, reason=FlagReason(scene.reason), text=scene.note, now=now)

    def _stages_of(self, held: Assignment) -> int:
        """About how many answers the work takes: the stages of each item of the block."""
        return held.lease.assignments.count() * len(assignments.activity_of(held).stages)

    def _send(
        self, held: Assignment, seats: list[Assignment], scene: Scene, *, seconds: int, now: datetime
    ) -> Assignment | None:
        """Answer the next stage; returns the work that continues: of whose turn it is, of a block the next item."""
        work = assignments.work_of(held)
        step = work.current or work.own[-1].address
        self.spend(held, seconds, work=work, now=now)
        outcome = submitting.commit(
            held,
            step,
            self._answer(work, step, scene),
            by=held.annotator,
            key=randomness.handle(),
            seen=work.seen_at(step),
            now=now,
        )
        if outcome.following is not None:
            return _at_work(seats)
        following = assignments.next_in_block(held) if scene.ends != "revised" and work.activity.block else None
        return self.reload(following) if following is not None else None

    def _draft(self, held: Assignment, scene: Scene, *, seconds: int, now: datetime) -> None:
        work = assignments.work_of(held)
        step = work.current
        if step is None:
            raise LookupError(f"{scene.item}: nothing is left to begin.")
        self.spend(held, seconds, work=work, now=now)
        fields = registry.form_of(self.project.protocol, step).fields_of(self._answer(work, step, scene))
        tab = submitting.PageLoad(client=randomness.handle())
        submitting.save_draft(held, step, fields, by=held.annotator, tab=tab, seq=1, seen=work.seen_at(step), now=now)

    def _answer(self, work: Work, step: str, scene: Scene) -> dict[str, Any]:
        return self.demo.answer(work.sheet(step), work.item.external_id, scene.says)

    def spend(self, held: Assignment, seconds: int, *, work: Work, now: datetime) -> None:
        """Record that the person looked at the current stage for so long, until now."""
        step = work.current or work.own[-1].address
        place = spans.place_of(work, held.annotation, step, since=held.claimed_at)
        spans.lock_and_write(place, seconds, ACTIVE * seconds, by=held.annotator, now=now)

    def _seated(self, scene: Scene, *, at: datetime) -> tuple[datetime, list[Assignment]]:
        """These people enter the lobby one after another, and say that they are here: when they were seated, and where.

        The lobby draws the item. LookupError if the scene names another: all that it says would be about that one.
        """
        people = [self._people[name] for name in (scene.who, *scene.partners)]
        for person in people:
            at += timedelta(seconds=randomness.rng(scene.item, person.username).randint(3, 25))
            entered = lobby.enter(self.project, scene.activity, by=person, now=at)
            if not isinstance(entered, Ticket):
                raise LookupError(f"{person.username} found nothing to do in the lobby: {entered}.")
        for person in people:
            at += timedelta(seconds=2)
            lobby.confirm(Ticket.objects.get(annotator=person, state=TicketState.OFFERED), by=person, now=at)
        held = Assignment.objects.filter(ticket__project=self.project, ticket__annotator__in=people, claimed_at=at)
        seats = [self.reload(row) for row in held]
        self._take_drawn(scene, seats[0].task.item)
        return at, seats

    def _take_drawn(self, scene: Scene, item: Item) -> None:
        if scene.item and self._item(scene.item) != item:
            got = self.protocol.caption(item.kind, item.payload)
            raise LookupError(
                f"The lobby drew {got!r} for {' and '.join((scene.who, *scene.partners))}, but their scene"
                f" {scene.day} days ago names {scene.item!r}. Name what was drawn, or nothing and call it something"
                " (drawn), or choose another seed in the demo's config."
            )
        if scene.drawn:
            self._drawn[scene.drawn] = item

    def _claimed(self, scene: Scene, *, at: datetime) -> Assignment:
        """The item of the scene; a block is drawn, so the story must leave only that one to be drawn."""
        activity, item = self.protocol.activity(scene.activity), self._item(scene.item)
        if not item.tasks.filter(activity=scene.activity).exists():
            queues.fill(self.project.queues.select_related("project").get(activity=scene.activity), now=at)
        by = self._people[scene.who]
        wanted = None if activity.block else item
        held = claiming.claim(self.project, scene.activity, by=by, now=at, item=wanted)
        if not isinstance(held, Assignment) or item.pk not in (held.task.item_id, held.task.item.root_id):
            raise LookupError(f"{scene.who} got {held}, not {scene.item!r}.")
        return self.reload(held)

    def _answered(self, scene: Scene) -> Assignment:
        """Their work on the item, finished, or open again."""
        found = Assignment.objects.filter(
            annotator=self._people[scene.who],
            task__item=self._item(scene.item),
            state__in=(AssignmentState.SUBMITTED, AssignmentState.LEASED),
        )
        return self.reload(found.get())

    def reload(self, held: Assignment) -> Assignment:
        """The same with what belongs to it."""
        relations = ("task__queue", "task__item__project", "annotation", "lease__queue", "annotator")
        return Assignment.objects.select_related(*relations).get(pk=held.pk)

    def _item(self, caption: str) -> Item:
        """The item that an earlier scene drew and called so, or else with that caption; some are made as it goes on."""
        if caption in self._drawn:
            return self._drawn[caption]
        if caption not in self._items:
            self._items = {self.protocol.caption(row.kind, row.payload): row for row in self.project.items.all()}
        if caption not in self._items:
            raise LookupError(f"{self.project.slug} has no item {caption!r}.")
        return self._items[caption]
