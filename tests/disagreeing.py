"""An item of NQ with several people's annotations that disagree, made through the services; and browsers of people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.test import Client

from annotation.models import Item, Project, User
from tasks.engine import assignments
from tests.builders import GOOD, NO_ANSWER, PAGE, Worker, load, project, questions, reload, write_lines
from tests.factories.work import QueueFactory
from tests.people import join

NOTHING: list[tuple[str, Any]] = [("question", GOOD), ("long_answer", NO_ANSWER)]
BAD: list[tuple[str, Any]] = [("question", {"verdict": "bad", "reasons": ["ambiguous"]})]


def box(number: int, short: dict[str, Any] | None = None) -> list[tuple[str, Any]]:
    """The answers of somebody who finds it in this box of the page."""
    return [("question", GOOD), ("long_answer", number), ("short_answer", short or {"kind": "none"})]


def lights(
    folder: Path,
    *,
    people: int = 3,
    least: float | None = 0.6,
    split: str = "train",
    of: int = 2,
    page: str = PAGE,
    slug: str = "lights",
    **config: Any,
) -> Project:
    """A project with so many questions (`of`), each for so many people, whose queue wants this much agreement."""
    made = project(slug, activities={"annotate": {"overlap": {split: people}, "draw": "in_order"}}, **config)
    load(made, write_lines(folder / "lights.jsonl", questions(of, split=split, page=page)))
    QueueFactory(project=made, least_agreement=least)
    return made


def answered(into: Project, *answers: Sequence[tuple[str, Any]], names: Sequence[str] = ()) -> Item:
    """The next question, answered by as many people: `annotator-0` and so on, or these."""
    item = None
    for number, said in enumerate(answers):
        name = names[number] if names else f"annotator-{number}"
        worker = Worker(join(into, name), into)
        mine = worker.claim()
        for stage, answer in said:
            worker.commit(mine, stage, _chosen(mine, answer) if isinstance(answer, int) else answer)
        item = mine.task.item
    assert item is not None
    return Item.objects.select_related("project").get(pk=item.pk)


def _chosen(mine: Any, number: int) -> dict[str, Any]:
    found = assignments.work_of(reload(mine)).sheet("long_answer").boxes[number]
    return {"kind": "box", "candidate": found.index, "quote": found.excerpt[:200]}


def browser(user: User) -> Client:
    """A browser in which the person has signed in."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(user)
    return client
