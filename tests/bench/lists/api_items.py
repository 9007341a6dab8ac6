"""A page of 100 items with their annotations by the API, of 300,000 annotations: ms until it is answered.

The first page, one in the middle, and those of a split and of a person; the median of fifteen, on both databases.
`processor` is this process's share, without the time in which others had the machine. What a page leaves to the garbage
collector is collected in the middle of some later one.

    python -m tests.bench.lists.api_items     (in a site's environment: prints JSON)
"""

from __future__ import annotations

import gc
import json
import statistics
import time
from typing import Any

from tests.bench import board
from tests.bench.databases import on_both
from tests.site import Site

TIMES = 15
ANSWERS = """
INSERT INTO annotation_response (annotation_id, author_id, stage, turn, revision, seat, schema, payload, body_sha256,
    created_at)
SELECT id, author_id, %s, 0, 1, 'alone', %s, %s, '', completed_at FROM annotation_annotation
WHERE completed_at IS NOT NULL
"""
"""Two answers to each finished annotation: to its question, and a long one."""


def measure_all() -> dict[str, object]:
    """The figures of each database."""
    return on_both(_figures)


def _figures(site: Site) -> dict[str, Any]:
    site.prepare()
    site.python("tests.bench.board", "furnish")
    found: dict[str, Any] = json.loads(site.python("tests.bench.lists.api_items"))
    return {
        "items": board.ITEMS,
        "annotations": board.ITEMS * board.EACH,
        "responses": 2 * board.ITEMS * board.EACH,
        **found,
    }


def pages() -> dict[str, Any]:
    """Milliseconds of each page, and its kilobytes."""
    from django.core import signing
    from django.test import Client

    from annotation import clock
    from annotation.models import Item, Project, Role, User
    from frontend.api import paging
    from qualification import api_tokens
    from qualification.models import TokenScope
    from tests import signed_in

    project = Project.objects.get(slug="many")
    _answer_everything()
    lead = signed_in.member(project, "lead", role=Role.LEAD)
    now = clock.now()
    _token, secret = api_tokens.make(lead, name="bench", scope=TokenScope.READ, project=None, days=1, now=now)
    middle = Item.objects.filter(project=project, position=board.ITEMS // 2).get()
    cursor = signing.dumps([middle.position, middle.pk], salt=paging.SALT)
    code = User.objects.get(username="annotator-3").worker_code
    parts = {
        "first": {},
        "middle": {"cursor": cursor},
        "of_a_split": {"split": "test"},
        "of_a_person": {"person": code},
    }
    client = Client(SERVER_NAME="127.0.0.1", headers={"Authorization": f"Bearer {secret}"})
    figures: dict[str, Any] = {name: _answered(client, {"limit": 100} | query) for name, query in parts.items()}
    return figures | {"left_to_the_collector": _left(client)}


def _left(client: Any) -> dict[str, float]:
    """Objects that a page leaves to the garbage collector, and the milliseconds of processor time that they take."""
    gc.collect()
    gc.disable()
    for _ in range(TIMES):
        client.get("/api/v1/projects/many/items/", {"limit": 100})
    begun = time.process_time()
    found = gc.collect()
    took = time.process_time() - begun
    gc.enable()
    return {"objects": round(found / TIMES), "ms": round(1000 * took / TIMES, 1)}


def _answer_everything() -> None:
    from django.db import connection

    from annotation.db import analyze
    from annotation.models import Response
    from tests.builders import GOOD, NO_ANSWER

    with connection.cursor() as cursor:
        for stage, payload in (("question", GOOD), ("long_answer", NO_ANSWER)):
            cursor.execute(ANSWERS, [stage, f"nq.{stage}/1", json.dumps(payload)])
    analyze.analyze(Response)


def _answered(client: Any, query: dict[str, Any]) -> dict[str, float]:
    took, cost = [], []
    for _ in range(TIMES + 2):
        begun, before = time.perf_counter(), time.process_time()
        answer = client.get("/api/v1/projects/many/items/", query)
        took.append((time.perf_counter() - begun) * 1000)
        cost.append((time.process_time() - before) * 1000)
        assert len(answer.json()["results"]) == 100, answer.content
    found = {"median": round(statistics.median(took[2:]), 1), "worst": round(max(took[2:]), 1)}
    return found | {"processor": round(statistics.median(cost[2:]), 1), "kb": round(len(answer.content) / 1000, 1)}


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(pages()))
