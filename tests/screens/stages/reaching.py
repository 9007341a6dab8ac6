"""Projects in which bots have led people to a stage, or past it; runs inside the site."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from random import Random

from annotation import clock, registry
from annotation.models import Project, Role, User
from annotation.protocol import Activity, Protocol, Stage
from tasks.engine import assignments, queues
from tasks.models import Assignment
from tests import signed_in
from tests.builders import load, reload
from tests.factories.corpus import ProjectFactory
from tests.protocols import peers
from tests.screens.camera import SIZES
from tests.screens.stages.by_bots import seen_again, stages_of

TRIES, ENOUGH = 50, 99
"""Pieces of work until a stage is reached, to which a bot may come only by chance; people who may do each item."""


def furnish_for(protocol: Protocol, person: Callable[..., User], *, now: datetime) -> None:
    """For each stage and size a project with somebody who is at the stage, and somebody who has answered it."""
    for activity, stage in stages_of(protocol):
        for size in SIZES:
            name = f"{protocol.key}-{stage.key}"
            project = project_for(protocol, f"{name}-{size}".replace("_", "-"))
            person(project, "lotte", Role.LEAD)
            for state in ("at", *(("after",) if seen_again(activity, stage) else ())):
                names = (f"{name}-{state}-{size}", f"{name}-other-{state}-{size}")[: len(activity.seats)]
                reach(project, activity, stage, [person(project, each) for each in names], past=state == "after")


def begin(key: str, stage_key: str, name: str) -> None:
    """A project with that name, in which the member with that name is at the stage; runs inside the site."""
    protocol = registry.get(key)
    activity, stage = next(found for found in stages_of(protocol) if found[1].key == stage_key)
    project = project_for(protocol, name)
    names = (name, f"{name}-other")[: len(activity.seats)]
    reach(project, activity, stage, [signed_in.member(project, each) for each in names])


def project_for(protocol: Protocol, slug: str) -> Project:
    """A project with the items of the demo, which many may do, and all queues open."""
    assert protocol.demo is not None
    overlap = {activity.key: {"overlap": {"dev": ENOUGH}} for activity in protocol.activities}
    config = {"seed": "1", "activities": overlap}
    project = ProjectFactory(slug=slug, title=str(protocol.title), protocol=protocol.key, config=config)
    load(project, protocol.demo.items, split="dev", clock=clock.now)
    for activity in protocol.activities:
        queues.open_queue(project, activity.key, by=None, now=clock.now())
    return project


def reach(project: Project, activity: Activity, stage: Stage, people: list[User], *, past: bool = False) -> Assignment:
    """The work of the first of these people at a stage, or after it (`past`), where bots do whatever comes before."""
    protocol = registry.get(project.protocol)
    for seed in range(TRIES):
        rng = Random(seed)
        if not project.items.filter(kind=activity.kind).exists():
            peers.finish_one(project, protocol.activities[0], f"before-{seed}-", rng)
            continue
        held = peers.begun(project, activity, people if seed % 2 == 0 else people[::-1])
        mine = next(row for row in held if row.annotator_id == people[0].pk)
        while True:
            own = assignments.work_of(reload(mine))
            done = past and any(entry.stage == stage.key for entry in own.own) and own.following is not None
            if done or (not past and own.current and own.current.partition("-")[0] == stage.key):
                return mine
            if not any(peers.answered(row, rng) for row in held):
                break
    raise LookupError(f"In {TRIES} pieces of work no bot came to {stage.key}.")
