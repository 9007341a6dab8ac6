"""The API answers calls made from its own schema as the schema says: never with a 5xx, never with something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotation import clock
from frontend.api.callers import TokenThrottle
from frontend.server import file_sender
from tests.frontend.api.schemas import made_schema
from tests.proofs.api.calls import calls
from tests.proofs.api.places import World
from tests.proofs.api.world import furnished
from tests.proving import size


def body_conformance(context: Any, response: Any, case: Any) -> bool | None:
    """The body is as described; that of a file is not here, since the gateway sends it."""
    sent_as_file = file_sender.HEADER.lower() in response.headers
    return None if sent_as_file else response_schema_conformance(context, response, case)


CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, body_conformance]
"""Not among them: `negative_data_rejection` and its like want a 400 for whatever the schema forbids, but what is asked
about an unknown project is a 404 before it is read; `use_after_free` and `ensure_resource_availability` need links.
"""
pytestmark = [pytest.mark.django_db, pytest.mark.one_database_for_a_merge]
SEED = 20261129
CASES = size(150, 10_000)


@pytest.fixture(scope="module")
def world(shared_rows: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """What calls can be about. Time stands still, so that nobody's place in line or work ends meanwhile."""
    now = clock.now()
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(TokenThrottle.THROTTLE_RATES, "token", None)
        patched.setattr(clock, "now", lambda: now)
        yield furnished(tmp_path_factory.mktemp("world"))


@pytest.fixture
def application(world: World):
    """The site in this thread, on the test's own connection, which the end of a request would close.

    After the world is furnished: Django's test client has such ends close connections again.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield get_wsgi_application()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_generated_calls_are_answered_as_described(application, world: World, record_property):
    record_property("size", CASES)
    record_property("seed", SEED)
    operations = _operations(made_schema(), application)
    answers, failures = {}, []
    for operation in operations:
        try:
            answers[operation.label] = _try(operation, world, cases=max(1, CASES // len(operations)))
        except Exception as failure:
            failures.append(failure)
    for label, found in answers.items():
        succeeded = sum(n for code, n in found.items() if code < 300)
        print(f"{label:80} {succeeded / found.total():4.0%} {dict(sorted(found.items()))}")
    if failures:
        raise ExceptionGroup("Operations that are not answered as described", failures)
    assert [label for label, found in answers.items() if min(found) >= 300] == []


def test_the_control_an_answer_that_is_not_described_is_found(application, world: World):
    described = made_schema()
    del described["paths"]["/api/v1/projects/"]["get"]["responses"]["200"]
    with pytest.raises(BaseExceptionGroup, match="Undocumented status code"):
        _try(_operations(described, application)[0], world, cases=5)


def _operations(described: dict[str, Any], application: Any) -> list[Any]:
    schema = schemathesis.openapi.from_dict(described)
    schema.app = application
    return [each.ok() for each in schema.get_all_operations()]


def _try(operation: Any, world: World, *, cases: int) -> Counter[int]:
    """Each call twice by who may make it, and once by somebody else; returns what the first of each was answered.

    Nothing stays of a call, so that the next one meets the same world.
    """
    answered: Counter[int] = Counter()

    @seeded(SEED)
    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(made=calls(operation, world))
    def call(made: tuple[Any, str]) -> None:
        case, token = made
        with transaction.atomic():
            first, _again, _other = (
                case.call_and_validate(checks=CHECKS, headers=_headers(world.tokens[name]))
                for name in (token, token, "ada" if token.startswith(("leads", "reads")) else "reads")
            )
            transaction.set_rollback(True)
        answered[first.status_code] += 1

    call()
    return answered


def _headers(secret: str) -> dict[str, str]:
    """The token; the transport without a server decompresses nothing."""
    return {"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}
