"""Import items, and play what people do with them, always through the services."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from annotation import randomness
from annotation.imports import run
from annotation.models import Project, User
from annotation.parsing.sources import FileSource
from annotation.protocols.qasper import demo
from annotation.worktime import spans, traces
from tasks.engine import assignments, claiming, no_work, submitting
from tasks.models import Assignment
from tests.factories.base import NOON
from tests.factories.corpus import ProjectFactory
from tests.factories.work import QueueFactory

PAGE = """<!DOCTYPE html>
<html lang="en"><head><title>Harbour lights</title></head><body>
<h1>Harbour lights</h1>
<p>The first harbour light was lit in 1823 at <b>Cordouan</b>, a tower on a reef.</p>
<h2>Keepers</h2>
<p>Two keepers, Anna Berg and Olaf Lund, tended the light through the winter.</p>
<ul><li>Anna Berg came from Bergen.</li><li>Olaf Lund came from Oslo.</li></ul>
<table><tr><th>Height</th><td>67 metres</td></tr><tr><th>Range</th><td>32 km</td></tr></table>
</body></html>
"""
"""A page with two paragraphs, a list with two items and a table with two rows: eight boxes."""

GOOD = {"verdict": "good"}
BAD = {"verdict": "bad", "reasons": ["ambiguous"]}
NO_ANSWER = {"kind": "none", "reason": "page"}
PAGE_LOAD = uuid.UUID(int=1)


def project(slug: str = "lights", protocol: str = "nq", **config: Any) -> Project:
    """A project with the given numbers."""
    return ProjectFactory(slug=slug, protocol=protocol, config=config)


def questions(count: int, *, split: str = "train", start: int = 0, page: str = PAGE) -> list[dict[str, Any]]:
    """Raw NQ lines about one page."""
    return [
        {
            "question_text": f"who tended light number {number}",
            "document_html": page,
            "document_title": "Harbour lights",
            "document_url": "https://example.org/wiki/Harbour_lights",
            "example_id": number + 1,
            "split": split,
        }
        for number in range(start, start + count)
    ]


def write_lines(path: Path, lines: Iterable[Any]) -> Path:
    """Write a JSON Lines file of these values (bytes are written as they are)."""
    path.write_bytes(b"".join((x if isinstance(x, bytes) else orjson.dumps(x)) + b"\n" for x in lines))
    return path


def load(
    into: Project,
    path: Path,
    *,
    published: bool = False,
    mode: run.Mode = run.Mode.ALL,
    clock: Callable[[], datetime] = lambda: NOON,
    **kwargs: Any,
) -> run.ImportReport:
    """Import a file."""
    source = FileSource(path, published=published, **kwargs)
    return run.run(into, source, sha256=source.sha256(), by=None, clock=clock, progress=lambda *seen: None, mode=mode)


def open_papers(slug: str = "papers", *, opened: Iterable[str] = ("ask", "answer"), **config: Any) -> Project:
    """A QASPER project with the demo's papers, about which nothing has been asked yet, and these queues open."""
    made = project(slug, "qasper", **config)
    load(made, demo.PAPERS, split="train")
    for activity in opened:
        QueueFactory(project=made, activity=activity)
    return made


def open_with(into: Project, folder: Path, lines: Iterable[Any], *, activity: str = "annotate") -> None:
    """Import raw lines and open the queue."""
    load(into, write_lines(folder / f"items-{randomness.code()}.jsonl", lines))
    QueueFactory(project=into, activity=activity)


@dataclass
class Worker:
    """One person working on an activity, through the services."""

    user: User
    project: Project
    activity: str = "annotate"

    def claim(self, *, now: datetime = NOON) -> Assignment | no_work.NoWork:
        """Ask for the next work."""
        return claiming.claim(self.project, self.activity, by=self.user, now=now)

    def commit(
        self, assignment: Assignment, stage: str, payload: dict[str, Any], *, now: datetime = NOON, **fence: Any
    ) -> submitting.CommitOutcome:
        """Commit a stage as an up-to-date page would."""
        fresh = reload(assignment)
        fence.setdefault("key", randomness.handle())
        fence.setdefault("seen", assignments.work_of(fresh).seen)
        return submitting.commit(fresh, stage, payload, by=self.user, now=now, **fence)

    def finish_bad(self, *, now: datetime = NOON) -> Assignment:
        """Claim an item and reject its question as bad."""
        assignment = self.claim(now=now)
        self.commit(assignment, "question", BAD, now=now)
        return reload(assignment)

    def finish_without_answer(self, *, now: datetime = NOON) -> Assignment:
        """Claim an item, accept its question, and say that its page has no answer."""
        assignment = self.claim(now=now)
        self.commit(assignment, "question", GOOD, now=now)
        self.commit(assignment, "long_answer", NO_ANSWER, now=now)
        return reload(assignment)


def reload(assignment: Assignment) -> Assignment:
    """Reload the assignment from the database, with the relations that the services need."""
    rows = Assignment.objects.select_related(
        "task__queue", "task__item__project", "annotation", "lease__queue", "annotator"
    )
    return rows.get(pk=assignment.pk)


def spend(
    held: Assignment,
    *,
    now: datetime,
    ms: int = 0,
    active: int = 0,
    n: int = 1,
    stage: str = "question",
    client: uuid.UUID = PAGE_LOAD,
    data: dict[str, Any] | None = None,
) -> int:
    """Report, as a screen does, how long it was visible and how much of that had input; return how many were new."""
    fresh = reload(held)
    text = orjson.dumps([{"n": n, "lines": [[1, "in_sight", data or {"ms": ms, "active": active}, ""]]}]).decode()
    place = spans.place_of(assignments.work_of(fresh), fresh.annotation, stage, since=fresh.claimed_at)
    return traces.keep(fresh, text, by=fresh.annotator, client=client, now=now, place=place, stage=stage)
