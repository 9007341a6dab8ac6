"""Two people talking in the toy protocol, through the services."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation import randomness
from annotation.engine.work import Work
from annotation.models import Annotation, Project, User
from tasks.engine import assignments, queues, submitting
from tasks.models import Assignment
from tasks.pairs import matching
from tests import builders
from tests.people import NOON, join
from tests.protocols.toy.protocol import EXAMPLES, TURNS


def toy_project(slug: str = "toys", *, split: str = "train", **config: Any) -> Project:
    """A project with the topics of the example and both queues open."""
    made = builders.project(slug, "toy", **config)
    builders.load(made, EXAMPLES / "items.jsonl", split=split)
    for activity in ("talk", "review"):
        queues.open_queue(made, activity, by=None, now=NOON)
    return made


@dataclass
class Pair:
    """An asker and a teller seated at one topic."""

    asker: User
    teller: User
    held: dict[str, Assignment]

    @classmethod
    def seated(cls, project: Project, *names: str, now: datetime = NOON) -> Pair:
        people = [join(project, name) for name in names or ("ann", "tom")]
        held = matching.seat(project, "talk", people, now=now)
        assert held, "no topic is free for both of them"
        return cls(*people, {row.seat: row for row in held})

    @property
    def annotation(self) -> Annotation:
        return Annotation.objects.get(pk=self.held["asker"].annotation_id)

    def row(self, seat: str) -> Assignment:
        return builders.reload(self.held[seat])

    def work(self, seat: str) -> Work:
        return assignments.work_of(self.row(seat))

    def say(self, seat: str, step: str, *, now: datetime = NOON, **fence: Any) -> submitting.CommitOutcome:
        """Commit a step as an up-to-date page would."""
        row = self.row(seat)
        text = fence.pop("text", f"{step} by {seat}")
        payload = {"text": text} if step.startswith("ask") else {"text": text, "reason": f"{text}, since"}
        fence.setdefault("key", randomness.handle())
        fence.setdefault("seen", assignments.work_of(row).seen_at(step))
        return submitting.commit(row, step, payload, by=row.annotator, now=now, **fence)

    def talk(self, *, until: int = TURNS, since: int = 1, now: datetime = NOON) -> None:
        """Answer whole turns, one after another."""
        for turn in range(since, until + 1):
            self.say("asker", f"ask-{turn}", now=now)
            self.say("teller", f"tell-{turn}", now=now)
