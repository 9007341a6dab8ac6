"""Two people who talk about a passage, and a player, through the services and over HTTP."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from django.test import Client
from django.urls import reverse

from annotation import clock, randomness
from annotation.engine.work import Work
from annotation.models import Project, User
from tasks.engine import assignments, queues, submitting
from tasks.models import Assignment
from tasks.pairs import matching
from tests import builders
from tests.people import join

STORY = "The lighthouse of Skerrow was built in 1871 by Anna Holt. Her brother Emil kept its light for thirty years."
HIDDEN_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


def talk_project(folder: Any, *, slug: str = "talks", split: str = "dev", passages: int = 2, **config: Any) -> Project:
    """A project with passages, and all its queues open."""
    made = builders.project(slug, "coqa", **config)
    lines = [{"id": f"p{number}", "domain": "mctest", "story": STORY} for number in range(passages)]
    builders.load(made, builders.write_lines(folder / "passages.jsonl", lines), split=split)
    for activity in ("converse", "converse_alone", "guess"):
        queues.open_queue(made, activity, by=None, now=clock.now())
    return made


def asked(text: str) -> dict[str, Any]:
    return {"kind": "asked", "text": text}


def ended(why: str = "done", reason: str = "") -> dict[str, Any]:
    return {"kind": "ended", "why": why, "reason": reason}


def answered(text: str, words: str = "Anna Holt", *, may_end: bool = False) -> dict[str, Any]:
    start = STORY.index(words)
    rationale = {"passage": 0, "start": start, "end": start + len(words), "quote": words}
    return {"kind": "answered", "text": text, "rationale": rationale, "may_end": may_end}


@dataclass
class Seated:
    """One person at a piece of work, with a browser."""

    user: User
    held: Assignment
    client: Client

    @classmethod
    def at(cls, held: Assignment, user: User) -> Seated:
        client = Client()
        client.force_login(user)
        return cls(user, held, client)

    def row(self) -> Assignment:
        return builders.reload(self.held)

    def work(self) -> Work:
        return assignments.work_of(self.row())

    def say(self, payload: dict[str, Any]) -> submitting.CommitOutcome:
        """Commit the current step, as an up-to-date page would."""
        work = self.work()
        return submitting.commit(
            self.row(), work.current, payload, by=self.user, key=randomness.handle(), seen=work.seen, now=clock.now()
        )

    def address(self, *more: str) -> str:
        return reverse("work", args=[self.held.uuid]) + "".join(f"{part}/" for part in more)

    def get(self, *more: str) -> str:
        """The bytes of a page, as text; 404 raises."""
        answer = self.client.get(self.address(*more))
        assert answer.status_code == 200, answer.status_code
        return answer.content.decode()

    def send(self, step: str, headers: dict[str, str] | None = None, **fields: str) -> Any:
        """POST the form of the current page."""
        hidden = dict(HIDDEN_FIELD.findall(self.get()))
        return self.client.post(self.address(step), hidden | fields, headers=headers or {})


def seated(project: Project, *names: str) -> tuple[Seated, ...]:
    """People seated at one conversation: the questioner, then the answerer."""
    people = [join(project, name) for name in names or ("quinn", "anna")]
    held = matching.seat(project, "converse", people, now=clock.now())
    assert held, "no passage is free for both of them"
    return tuple(Seated.at(row, person) for row, person in zip(held, people, strict=True))


def seated_still(people: tuple[Seated, ...]) -> tuple[Seated, ...]:
    """The same people at the same work for a test whose module shares its rows, each with a browser of their own."""
    found = []
    for one in people:
        browser = Client()
        browser.cookies = deepcopy(one.client.cookies)
        found.append(replace(one, held=one.row(), client=browser))
    return tuple(found)


def talk(questioner: Seated, answerer: Seated, turns: int) -> None:
    """Hold that many turns; each text occurs once."""
    for turn in range(1, turns + 1):
        questioner.say(asked(f"Question number {turn}?"))
        answerer.say(answered(f"Answer number {turn}"))
