"""The API answers calls made from its own schema as the schema says: never with a 5xx, never with something else."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotation import clock
from annotation.models import Project, User
from frontend.api.throttling import TokenThrottle
from qualification import api_tokens
from qualification.models import TokenScope
from tests.builders import Worker, open_with, questions
from tests.frontend.api.schemas import made_schema
from tests.proving import size

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
"""Not among them: `negative_data_rejection` and its like want a 400 for whatever the schema forbids, but what is asked
about an unknown project is a 404 before it is read; `use_after_free` and `ensure_resource_availability` need links.
"""
pytestmark = pytest.mark.one_database_for_a_merge
SEED = 20261129
CASES = size(500, 10_000)


@pytest.fixture
def application():
    """The site in this thread, on the test's own connection, which the end of a request would close."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield get_wsgi_application()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def tokens(nq: Project, lena: User, alice: User, tmp_path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Those of a lead for the project, of a lead to read, and of an annotator, over items with some answers."""
    monkeypatch.setitem(TokenThrottle.THROTTLE_RATES, "token", None)
    open_with(nq, tmp_path, questions(6))
    for _ in range(3):
        Worker(alice, nq).finish_without_answer()
    scopes = [(lena, TokenScope.LEAD, nq), (lena, TokenScope.READ, None), (alice, TokenScope.WORK, None)]
    made = (
        api_tokens.make(user, name="script", scope=scope, project=project, days=1, now=clock.now())
        for user, scope, project in scopes
    )
    return [secret for _token, secret in made]


def test_generated_calls_are_answered_as_described(application, tokens: list[str], record_property):
    record_property("size", CASES)
    record_property("seed", SEED)
    operations = _operations(made_schema(), application)
    for operation in operations:
        _try(operation, tokens, cases=max(1, CASES // len(operations)))


def test_the_control_an_answer_that_is_not_described_is_found(application, tokens: list[str]):
    described = made_schema()
    del described["paths"]["/api/v1/projects/"]["get"]["responses"]["200"]
    with pytest.raises(BaseExceptionGroup, match="Undocumented status code"):
        _try(_operations(described, application)[0], tokens, cases=5)


def _operations(described: dict[str, Any], application: Any) -> list[Any]:
    schema = schemathesis.openapi.from_dict(described)
    schema.app = application
    return [each.ok() for each in schema.get_all_operations()]


def _try(operation, tokens: list[str], *, cases: int) -> None:
    known = {"slug": "lights"}

    @seeded(SEED)
    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def call(case) -> None:
        for secret in tokens:
            # Half of them about a project that exists: what is made up is 404 before anything is read.
            if "slug" in (case.path_parameters or {}) and len(str(case.path_parameters["slug"])) % 2:
                case.path_parameters |= known
            # The transport without a server decompresses nothing.
            headers = {"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}
            case.call_and_validate(checks=CHECKS, headers=headers)

    call()
