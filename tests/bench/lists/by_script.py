"""A lead's board and pay of 300,000 finished pieces of work, none, a tenth or all of which came by script.

Milliseconds until a page is answered, `with` the counts of work by script and `without` reading them, in turn in one
process; the median of nine, on both databases. Seconds to count all work anew.

    python -m tests.bench.lists.by_script     (in a site's environment: prints JSON)
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from typing import Any
from unittest import mock

from tests.bench import board
from tests.bench.databases import on_both
from tests.bench.lists import lead_pages
from tests.site import Site

TIMES = 9
ANSWERS = """
INSERT INTO annotation_response (annotation_id, author_id, stage, turn, revision, seat, schema, payload, body_sha256,
    created_at, by_script)
SELECT id, author_id, %s, 0, 1, 'alone', 'nq.question/1', '{"verdict": "good"}', '', completed_at, %s
FROM annotation_annotation WHERE completed_at IS NOT NULL AND id %% 10 >= %s AND id %% 10 < %s
"""
"""Answers to a step, from the page or by script, in annotations by the last digit of their number."""


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, Any]:
    lead_pages.prepare(site)
    found: dict[str, Any] = json.loads(site.python("tests.bench.lists.by_script"))
    return {"annotations": board.ITEMS * board.EACH, **found}


def pages() -> dict[str, Any]:
    """Milliseconds of each page, by how much came by script."""
    from django.test import Client
    from django.urls import reverse

    from annotation import clock
    from annotation.models import Project, Role, User
    from tests import signed_in

    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(signed_in.member(Project.objects.get(slug="many"), "lead", role=Role.LEAD))
    code = User.objects.get(username="annotator-3").worker_code
    since = (clock.now() - timedelta(days=27)).date()
    of_project, pay = reverse("project", args=["many"]), reverse("pay", args=["many"])
    addresses = {
        "board": of_project,
        "board_of_a_person": f"{of_project}?person={code}",
        "board_of_four_weeks": f"{of_project}?since={since}",
        "pay": pay,
        "pay_of_four_weeks": f"{pay}?since={since}",
        "pay_csv": reverse("pay_csv", args=["many"]),
        "person": reverse("person", args=["many", code]),
    }
    figures: dict[str, Any] = {}
    for share, answers in {
        "none": [("question", False, 0, 10)],
        "a_tenth": [("long_answer", True, 0, 1)],
        "all": [("long_answer", True, 1, 10)],
    }.items():
        counted = _answer(answers)
        figures[share] = {"count_everything_s": counted} | {
            name: _with_and_without(client, address) for name, address in addresses.items()
        }
    return figures


def _answer(answers: list[tuple[str, bool, int, int]]) -> float:
    """Write them; returns the seconds to count everything anew."""
    from django.db import connection

    from annotation import clock
    from annotation.db import analyze
    from annotation.models import Response
    from tasks.board import counting

    with connection.cursor() as cursor:
        for values in answers:
            cursor.execute(ANSWERS, values)
    analyze.analyze(Response)
    begun = time.perf_counter()
    counting.rebuild(now=clock.now())
    return round(time.perf_counter() - begun, 2)


def _with_and_without(client: Any, address: str) -> dict[str, float]:
    took: dict[str, list[float]] = {"with": [], "without": []}
    for _ in range(TIMES + 1):
        for name, reading in (("without", _not_read()), ("with", nullcontext())):
            with reading:
                took[name].append(_answered(client, address))
    return {name: round(statistics.median(each[1:]), 1) for name, each in took.items()}


@contextmanager
def _not_read() -> Iterator[None]:
    """As if there were no such counts."""
    from frontend.leads.board.numbers import BoardNumbers
    from tasks.people import earnings

    with (
        mock.patch.object(BoardNumbers, "by_script", 0),
        mock.patch.object(earnings, "scripted", lambda rows: rows.none()),
    ):
        yield


def _answered(client: Any, address: str) -> float:
    begun = time.perf_counter()
    answer = client.get(address)
    list(answer.streaming_content if answer.streaming else [answer.content])
    assert answer.status_code == 200, (address, answer.status_code)
    return (time.perf_counter() - begun) * 1000


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(pages()))
