"""Plays the history of a demo project through the services, at the times at which it is said to have happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import make_password

from annotation import exclusion, membership, randomness, registry, releases
from annotation.models import Item, Project, Role, User
from annotation.models.flag import FlagReason
from annotation.protocol_tools import Demo, Scene
from annotation.work import Work
from annotation.worktime import spans
from tasks import assignments, claiming, corrections, drafts, queues, reports, skip_and_return, submitting
from tasks.models import Assignment
from tasks.states import AssignmentState

LEAD = "lena"
"""Who leads the demo's projects."""
APART = timedelta(minutes=8)
"""Between two scenes of a day; no scene may take longer."""
SHIFT = timedelta(hours=3)
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


class History:
    """Plays scenes in a project whose queues are open; `play` raises LookupError for what does not fit."""

    def __init__(self, project: Project, demo: Demo) -> None:
        self.project, self.demo = project, demo
        self.protocol = registry.get(project.protocol)
        self._items: dict[str, Item] = {}
        self._people: dict[str, User] = {}

    def join(self, name: str, role: str = Role.ANNOTATOR, *, consents: bool = True, now: datetime) -> None:
        """Add somebody to the project, without a password; the people of the story have accepted the consent text."""
        User.objects.get_or_create(username=name, defaults={"password": make_password(None)})
        user, _ = membership.add(project=self.project, username=name, role=role, by=None, now=now)
        if consents:
            membership.accept_consent(user=user, project=self.project, now=now)
        self._people[name] = user

    def play(self, scene: Scene, *, at: datetime) -> None:
        """Do what the scene tells."""
        if scene.ends == "released":
            format = self.protocol.formats[0].key
            releases.build(self.project, format=format, by=self._people[LEAD], now=at, partial=True)
        elif scene.ends in ("reopened", "excluded"):
            self._judge(scene, at=at)
        else:
            self._work(scene, at=at)

    def _judge(self, scene: Scene, *, at: datetime) -> None:
        uuid = self._answered(scene).annotation.uuid
        if scene.ends == "reopened":
            corrections.reopen(self.project, uuid, by=self._people[LEAD], reason=scene.note, now=at)
        else:
            exclusion.exclude(self.project, uuids=[uuid], by=self._people[LEAD], reason=scene.note, now=at)

    def _work(self, scene: Scene, *, at: datetime) -> None:
        by = self._people[scene.who]
        held = self._answered(scene) if scene.ends == "revised" else self._claimed(scene, at=at)
        if scene.ends in ("skipped", "reported"):
            end = at + timedelta(seconds=scene.seconds)
            self._spend(held, scene.seconds, now=end)
            if scene.ends == "skipped":
                skip_and_return.skip(held, by=by, reason=scene.reason, text=scene.note, now=end)
            else:
                reports.report(held, by=by, reason=FlagReason(scene.reason), text=scene.note, now=end)
            return
        share = scene.seconds // max(1, self._stages_of(held))
        sent = 0
        mine: Assignment | None = held
        while mine is not None and not (scene.ends == "begun" and sent == scene.sends):
            at += timedelta(seconds=share)
            mine = self._send(mine, scene, seconds=share, now=at)
            sent += 1
        if scene.ends == "begun" and mine is not None:
            self._draft(mine, scene, now=at + timedelta(seconds=share))

    def _stages_of(self, held: Assignment) -> int:
        """About how many answers the work takes: the stages of each item of the block."""
        return held.lease.assignments.count() * len(assignments.activity_of(held).stages)

    def _send(self, held: Assignment, scene: Scene, *, seconds: int, now: datetime) -> Assignment | None:
        """Answer the next stage; returns the work that continues, of a block the next item, or None."""
        work = assignments.work_of(held)
        step = work.current or work.own[-1].address
        self._spend(held, seconds, now=now)
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
            return self._reload(held)
        following = assignments.next_in_block(held) if scene.ends != "revised" and work.activity.block else None
        return self._reload(following) if following is not None else None

    def _draft(self, held: Assignment, scene: Scene, *, now: datetime) -> None:
        work = assignments.work_of(held)
        step = work.current
        if step is None:
            raise LookupError(f"{scene.item}: nothing is left to begin.")
        self._spend(held, scene.seconds // 2, now=now)
        fields = registry.form_of(self.project.protocol, step).fields_of(self._answer(work, step, scene))
        tab = drafts.Tab(client=randomness.handle())
        drafts.save(held, step, fields, by=held.annotator, tab=tab, seq=1, seen=work.seen_at(step), now=now)

    def _answer(self, work: Work, step: str, scene: Scene) -> dict[str, Any]:
        return self.demo.answer(work.sheet(step), work.item.external_id, scene.says)

    def _spend(self, held: Assignment, seconds: int, *, now: datetime) -> None:
        """Record that the person looked at the current stage for so long, until now."""
        work = assignments.work_of(held)
        step = work.current or work.own[-1].address
        place = spans.place_of(work, held.annotation, step, since=held.claimed_at)
        spans.lock_and_write(place, seconds, ACTIVE * seconds, by=held.annotator, now=now)

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
        return self._reload(held)

    def _answered(self, scene: Scene) -> Assignment:
        """Their work on the item, finished, or open again."""
        found = Assignment.objects.filter(
            annotator=self._people[scene.who],
            task__item=self._item(scene.item),
            state__in=(AssignmentState.SUBMITTED, AssignmentState.LEASED),
        )
        return self._reload(found.get())

    def _reload(self, held: Assignment) -> Assignment:
        relations = ("task__queue", "task__item__project", "annotation", "lease__queue", "annotator")
        return Assignment.objects.select_related(*relations).get(pk=held.pk)

    def _item(self, caption: str) -> Item:
        """The item of that caption; some are made as the story goes on."""
        if caption not in self._items:
            self._items = {self.protocol.caption(row.kind, row.payload): row for row in self.project.items.all()}
        if caption not in self._items:
            raise LookupError(f"{self.project.slug} has no item {caption!r}.")
        return self._items[caption]
