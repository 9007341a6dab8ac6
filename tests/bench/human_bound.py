"""The human upper bound of 7,830 items with five annotations and 139 with 25, on both databases.

Seconds to measure it from nothing, with intervals of 1,000 draws, in a process of its own; without a database, seconds
of the five-way part and of the 25-way part.

    python -m tests.bench.human_bound      (in a site's environment: makes the annotations)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

from tests.bench.databases import on_both
from tests.bench.yardstick import beside_yardstick
from tests.site import Site

MANY, EACH = (7_830, 5), (139, 25)
"""Items and annotations of each: the development set and the variability study of the paper."""
BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)


def measure_all() -> dict[str, object]:
    """The figures of each database, and of the computation alone."""
    return on_both(_figures) | {"computation": beside_yardstick(_computation)}


def _figures(site: Site) -> dict[str, Any]:
    site.prepare()
    site.python("tests.bench.human_bound")
    return {"from_nothing_s": _seconds(lambda: site.manage("human_bound", "bench", "--keep"))}


def _computation() -> dict[str, float]:
    from annotation.protocols.nq import human
    from annotation.protocols.nq.scoring import NULL, Label, Offsets

    def label(answer: tuple[int, int] | None) -> Label:
        if answer is None:
            return Label(NULL, (), "none")
        box, span = answer
        return Label(Offsets(-1, -1, box, box + 1), (Offsets(-1, -1, span, span + 2),), "none")

    def seconds(items: int, each: int) -> float:
        made = [human.Question(str(n), tuple(map(label, _answers(n, each)))) for n in range(items)]
        return _seconds(lambda: human.measure(made, "bench"))

    return {"five_way_s": seconds(*MANY), "25_way_s": seconds(*EACH)}


def _seconds(what: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    what()
    return round(time.perf_counter() - begun, 2)


def _answers(number: int, each: int) -> list[tuple[int, int] | None]:
    """A box and the beginning of a span for each annotation of an item, or None: some items are easier than others."""
    rng = Random(number)
    answerable, boxes = rng.betavariate(0.6, 0.6), [rng.randrange(40) for _ in range(3)]
    return [
        (box := rng.choices(boxes, (8, 2, 1))[0], 10 * box + rng.choice((0, 0, 0, 1)))
        if rng.random() < answerable
        else None
        for _ in range(each)
    ]


def furnish() -> None:
    """The annotations, in a project that finishes them."""
    from tests.factories.corpus import ProjectFactory
    from tests.factories.people import UserFactory

    people = [UserFactory(username=f"annotator-{n}") for n in range(EACH[1])]
    config = {"activities": {"annotate": {"overlap": {"dev": MANY[1], "test": EACH[1]}}}}
    project = ProjectFactory(slug="bench", config=config, created_at=BEGIN)
    for split, (items, each) in {"dev": MANY, "test": EACH}.items():
        for start in range(0, items, 1000):
            _work(project, split, range(start, min(start + 1000, items)), people[:each])


def _work(project: Any, split: str, numbers: range, people: list[Any]) -> None:
    from tests.factories.corpus import ItemFactory
    from tests.factories.record import AnnotationFactory, ResponseFactory

    items = ItemFactory.insert_many(
        {
            "project": project,
            "external_id": f"{len(people)}{number:05}",
            "split": split,
            "payload": {"question_text": f"who tended light number {number}"},
            "position": number,
        }
        for number in numbers
    )
    rows = AnnotationFactory.insert_many(
        {"item": item, "author": person, "opened_at": BEGIN, "completed_at": BEGIN}
        for item in items
        for person in people
    )
    answers = [answer for number in numbers for answer in _answers(number, len(people))]
    ResponseFactory.insert_many(
        {"annotation": row, "stage": stage, "payload": payload}
        for row, answer in zip(rows, answers, strict=True)
        for stage, payload in _payloads(answer)
    )


def _payloads(answer: tuple[int, int] | None) -> list[tuple[str, dict[str, Any]]]:
    good: list[tuple[str, dict[str, Any]]] = [("question", {"verdict": "good"})]
    if answer is None:
        return [*good, ("long_answer", {"kind": "none", "reason": "page"})]
    box, start = answer
    span = {"start": start, "end": start + 2, "quote": "Anna Berg"}
    chosen = {"kind": "box", "candidate": box, "quote": "Two keepers"}
    return [*good, ("long_answer", chosen), ("short_answer", {"kind": "spans", "spans": [span]})]


if __name__ == "__main__":
    import django

    django.setup()
    furnish()
