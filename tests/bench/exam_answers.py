"""How long an answer in an exam takes on the server when it is right and when it is wrong, on both databases.

Milliseconds of `sitting.answer`, with its transaction, medians and quartiles over people who answer the same places by
turns rightly and wrongly: before the last answer, where both do the same, and in the last one, which grades the attempt
and gives the grant if it is passed. `ratio`: right by wrong, of the medians.

    python -m tests.bench.exam_answers      (in a site's environment: one database)
"""

from __future__ import annotations

import json
import statistics
import time
from collections import defaultdict
from typing import Any

from tests.bench.databases import on_both
from tests.site import Site

PEOPLE, PLACES = 120, 8


def measure_all() -> dict[str, Any]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, Any]:
    site.prepare()
    found: dict[str, Any] = json.loads(site.python("tests.bench.exam_answers"))
    return found


def sat() -> dict[str, dict[str, list[float]]]:
    """Milliseconds by place (`before the last`, `the last`) and answer (`right`, `wrong`)."""
    from qualification.courses import sitting
    from tests.builders import project
    from tests.factories.qualification import CourseVersionFactory, QualificationFactory
    from tests.people import NOON, join
    from tests.qualification.courses.building import RIGHT, WRONG, block, course, prepare

    made = QualificationFactory(project=project())
    pool = block("task", draw=PLACES, mark=str(PLACES), pool=2 * PLACES)
    CourseVersionFactory(qualification=made, course=course(pool, tutorial=0, attempts=1))
    took: dict[str, dict[str, list[float]]] = {"before the last": defaultdict(list), "the last": defaultdict(list)}
    for number in range(PEOPLE):
        person = join(made.project, f"person-{number}")
        prepare(person, made)
        attempt = sitting.issue(person, made, now=NOON)
        # Of two pairs, one answers by turns, so that each place has both; the other has all right up to the last.
        by_turns = number % 4 < 2
        for place in range(PLACES):
            last = place + 1 == PLACES
            right = bool((number + place) % 2) if by_turns else bool(number % 2) or not last
            begun = time.perf_counter()
            sitting.answer(attempt, place, RIGHT if right else WRONG, now=NOON)
            spent = (time.perf_counter() - begun) * 1000
            if by_turns != last:
                took["the last" if last else "before the last"]["right" if right else "wrong"].append(spent)
    return took


def main() -> None:
    """Measure on the database of this environment, and print it."""
    import django

    django.setup()
    told = {}
    for where, by_answer in sat().items():
        told[where] = {answer: _summed(ms) for answer, ms in sorted(by_answer.items())}
        median = {answer: statistics.median(ms) for answer, ms in by_answer.items()}
        told[where]["ratio"] = round(median["right"] / median["wrong"], 3)
    print(json.dumps(told))


def _summed(ms: list[float]) -> dict[str, Any]:
    low, median, high = (round(each, 2) for each in statistics.quantiles(ms, n=4))
    return {"median_ms": median, "quartiles_ms": [low, high], "n": len(ms)}


if __name__ == "__main__":
    main()
