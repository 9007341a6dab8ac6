"""The OpenAPI schema is committed, so that a change which breaks clients is seen before they meet it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS

from tests.frontend.api.schemas import breaking_changes, committed_schema, made_schema


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return made_schema()


def test_clients_of_the_committed_schema_still_work(made: dict[str, Any]):
    broken = list(breaking_changes(committed_schema(), made))
    assert not broken, f"This breaks clients, so it needs another version of the API: {broken}"


def test_the_committed_schema_is_the_one_that_is_served(made: dict[str, Any], db: None):
    served = Client(SERVER_NAME="127.0.0.1").get("/api/v1/schema.json").json()
    said = "The schema has grown: python -m tests.frontend.api.schemas writes it."
    assert committed_schema() == made == served, said


def test_every_view_says_what_it_takes_and_answers(capsys: pytest.CaptureFixture[str]):
    with GENERATOR_STATS.silence():
        made_schema()
    assert capsys.readouterr().err == ""
    assert not GENERATOR_STATS, "drf-spectacular had to guess"


def _without_path(schema: dict[str, Any]) -> None:
    del schema["paths"]["/api/v1/projects/{slug}/items/"]


def _without_parameter(schema: dict[str, Any]) -> None:
    del schema["paths"]["/api/v1/projects/{slug}/items/"]["get"]["parameters"][0]


def _without_field(schema: dict[str, Any]) -> None:
    del schema["components"]["schemas"]["Annotation"]["properties"]["responses"]


def _of_another_type(schema: dict[str, Any]) -> None:
    schema["components"]["schemas"]["Project"]["properties"]["slug"] = {"type": "integer"}


@pytest.mark.parametrize("change", [_without_path, _without_parameter, _without_field, _of_another_type])
def test_what_is_taken_away_or_changed_is_named(made: dict[str, Any], change: Callable[[dict[str, Any]], None]):
    new = copy.deepcopy(made)
    change(new)
    assert list(breaking_changes(made, new))
    assert not list(breaking_changes(made, made))


def test_what_is_added_breaks_nobody(made: dict[str, Any]):
    new = copy.deepcopy(made)
    new["paths"]["/api/v1/more/"] = new["paths"]["/api/v1/projects/"]
    new["components"]["schemas"]["Project"]["properties"]["more"] = {"type": "string"}
    assert not list(breaking_changes(made, new))


def test_locks_and_keys_are_described_where_they_are_followed_and_nowhere_else(made: dict[str, Any]):
    following = {"Idempotency-Key": set(), "If-Match": set()}
    for methods in made["paths"].values():
        for operation in methods.values():
            for one in operation.get("parameters", []):
                if one["name"] in following:
                    following[one["name"]].add(operation["operationId"])
    assert following["If-Match"] == {
        *("change_setup", "change_queue", "change_qualification", "decide_grant", "publish_course"),
        *("change_round", "discard_round", "seal_round"),
    }
    assert {"make_release", "decide_item", "skip_work", "report_time"} <= following["Idempotency-Key"]
    assert not {"claim_work", "commit_step", "save_draft", "check_setup", "send_part"} & following["Idempotency-Key"]
