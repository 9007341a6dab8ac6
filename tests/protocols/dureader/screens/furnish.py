"""The projects of DuReader for the pictures, one for each type of question; runs inside the site."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from annotation import clock, registry
from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import JudgingRound, Project, Role, User
from tasks.engine import assignments, queues
from tasks.judging import raters
from tests.builders import Worker, load, write_lines
from tests.factories.corpus import ProjectFactory
from tests.screens.camera import SIZES

QUESTIONS = {"balcony": "810010", "planets": "810002", "mushrooms": "810001", "mint": "810011"}
"""The sample question of each project, by its slug: without a type, of entities, yes or no, from right to left."""


def furnish(person: Callable[..., User], *, now: datetime) -> None:
    """Two writers have answered each question; a third place is free for a visitor in each size."""
    lines = registry.get("dureader").demo.items.read_bytes().splitlines()
    sample = {str(line["question_id"]): line for line in map(orjson.loads, lines)}
    for slug, number in QUESTIONS.items():
        project = _project(slug, sample[number], now=now)
        person(project, "lotte", Role.LEAD)
        for name, says in (("mia", "first"), ("nils", "second")):
            _answer(person(project, name), project, says)
        for size in SIZES:
            person(project, f"dina-{size}")
        if slug == "mushrooms":
            experts = [person(project, f"dora-{size}", Role.EXPERT) for size in SIZES]
            row = _round(project, "Answers side by side", experts, now=now)
            rounds.seal(row, by=row.made_by, now=now)
        if slug == "planets":
            _round(project, "A draft of answers side by side", [], now=now)


def _round(project: Project, title: str, people: list[User], *, now: datetime) -> JudgingRound:
    """A draft of a round over all answers, which raters see on one screen."""
    kind, by = drawing.kind_of(project, "answers"), User.objects.get(username="lotte")
    rules = Rules(kind=kind.key, of_an_item="all", together=True)
    row = rounds.make(project, title=title, rubric=kind.rubric(), rules=rules, by=by, now=now, seed="7")
    for person in people:
        raters.name(row, person, by=by, now=now)
    return row


def _project(slug: str, line: dict[str, Any], *, now: datetime) -> Project:
    overlap = {"activities": {"compose": {"overlap": {"dev": 2 + len(SIZES)}}}}
    project = ProjectFactory(
        slug=slug, title="Answers from documents", protocol="dureader", config=overlap, created_at=now
    )
    with tempfile.TemporaryDirectory() as folder:
        load(project, write_lines(Path(folder) / "search.dev.json", [line]), split="dev", clock=clock.now)
    queues.open_queue(project, "compose", by=None, now=now)
    return project


def _answer(writer: User, project: Project, says: str) -> None:
    worker = Worker(writer, project, "compose")
    held = worker.claim(now=clock.now())
    work = assignments.work_of(held)
    while (stage := work.current) is not None:
        payload = registry.get("dureader").demo.answer(work.sheet(stage), work.item.external_id, says)
        worker.commit(held, stage, payload, now=clock.now())
        if stage == "answers":
            return
        work = assignments.work_of(held)
