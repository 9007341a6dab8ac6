"""People at work beside a player: they finish, hold or skip work, make items, and answer in the other seats."""

from __future__ import annotations

from random import Random

from annotation import clock, randomness, registry
from annotation.engine.drafts import save_draft
from annotation.models import Project, User
from annotation.protocol import Activity
from frontend.bots.bot import Bot
from tasks.engine import assignments, skip_and_return, submitting
from tasks.models import Assignment
from tasks.pairs import matching
from tests.builders import Worker, reload
from tests.factories.people import MemberFactory
from tests.people import NOON

PEER = {"name": "Zq7peername4d19", "draft": "Zq7peerdraft8c52", "skip": "Zq7peerskip1b74"}
"""Names and words of other people, which nobody else may see."""


def finish_one(into: Project, activity: Activity, name: str, rng: Random) -> list[User]:
    """Do one piece of work to its end, by as many people as it has seats."""
    people = seats(into, activity, name)
    if len(people) == 1 and not from_the_lobby(into, activity):
        Bot(people[0], rng).finish_one(into, activity.key)
        return people
    return finish_by_services(into, activity, people, rng)


def finish_by_services(into: Project, activity: Activity, people: list[User], rng: Random) -> list[User]:
    """Let these people, as many as it has seats, do one piece of work to its end, without a page."""
    held = begun(into, activity, people)
    while any(answered(row, rng) for row in held):
        pass
    return people


def seats(into: Project, activity: Activity, name: str) -> list[User]:
    """New people, one for each seat."""
    return [member(into, f"{name}{place}") for place, _seat in enumerate(activity.seats)]


def from_the_lobby(into: Project, activity: Activity) -> bool:
    """Whether only somebody who has waited in vain for a partner is given this work."""
    return any(each.alone == activity.key for each in registry.get(into.protocol).activities)


def begun(into: Project, activity: Activity, people: list[User]) -> tuple[Assignment, ...]:
    """Work that these people hold together, or that one of them holds alone."""
    if len(people) == 1:
        return (Worker(people[0], into, activity.key).claim(now=clock.now()),)
    return matching.seat(into, activity.key, people, now=clock.now())


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
    """An annotator, whose password nobody knows."""
    return MemberFactory(project=into, username=name, now=NOON)


def peers(into: Project, activity: Activity) -> dict[str, str]:
    """Let others work on the items: some are done, some have a draft, some are skipped; return what identifies them."""
    now = clock.now()
    finish_by_services(into, activity, seats(into, activity, PEER["name"]), Random(1))
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
    held = begun(into, activity, seats(into, activity, name))
    return next(row for row in held if assignments.work_of(reload(row)).current)
