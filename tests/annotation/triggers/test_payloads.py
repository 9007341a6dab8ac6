"""A payload with the keys of two kinds can't be written, even with SQL, for every union of every protocol."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from annotation import registry
from annotation.models import Response
from annotation.triggers import payloads
from tests.builders import Worker, open_with, questions
from tests.people import NOON

pytestmark = pytest.mark.on_both_databases

STAGES = {
    stage.schema_name: stage
    for protocol in registry.all_protocols()
    for activity in protocol.activities
    for stage in activity.stages
}
UNIONS = {name: payloads.shapes(stage.schema) for name, stage in STAGES.items()}
UNIONS = {name: shape for name, shape in UNIONS.items() if shape is not None}


@pytest.fixture
def annotation(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    return Worker(alice, nq).claim().annotation


def is_written(annotation, schema: str, payload: Any) -> bool:
    """Whether a raw INSERT of this payload succeeds."""
    columns = "annotation_id, author_id, stage, turn, revision, schema, payload, body_sha256, created_at"
    values = [annotation.pk, None, "any", 0, 1, schema, json.dumps(payload), "", NOON]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO {Response._meta.db_table} ({columns}) VALUES ({','.join(['%s'] * 9)})", values)
            transaction.set_rollback(True)
    except DatabaseError as error:
        # If it is not an object, PostgreSQL refuses to count its keys before our trigger can.
        if "the record refuses this" in str(error) or "jsonb_object_keys" in str(error):
            return False
        raise
    return True


def payload_of(discriminator: str, kind: str, keys: frozenset[str]) -> dict[str, Any]:
    return dict.fromkeys(keys, "x") | {discriminator: kind}


def test_a_payload_with_the_keys_of_its_kind_is_written(annotation):
    for schema, (discriminator, kinds) in UNIONS.items():
        for kind, (keys,) in kinds.items():
            assert is_written(annotation, schema, payload_of(discriminator, kind, keys)), schema


def test_a_payload_with_the_keys_of_two_kinds_is_refused(annotation):
    for schema, (discriminator, kinds) in UNIONS.items():
        pairs = [
            (one, other) for one, other in itertools.permutations(kinds, 2) if not kinds[other][0] <= kinds[one][0]
        ]
        assert pairs, schema
        for one, other in pairs:
            payload = payload_of(discriminator, one, kinds[one][0] | kinds[other][0])
            assert not is_written(annotation, schema, payload), (schema, payload)


def test_a_payload_of_an_unknown_kind_or_without_its_keys_is_refused(annotation):
    for schema, (discriminator, kinds) in UNIONS.items():
        refused = [{}, [], "x", None, {discriminator: "no such kind"}, {discriminator: None}]
        refused += [
            {key: value for key, value in payload_of(discriminator, kind, keys).items() if key != left_out}
            for kind, (keys,) in kinds.items()
            for left_out in keys
        ]
        for payload in refused:
            assert not is_written(annotation, schema, payload), (schema, payload)


def test_a_schema_that_is_a_union_has_a_discriminator():
    for name, stage in STAGES.items():
        assert stage.schema.core_schema["type"] != "union", f"{name}: no trigger can tell which keys belong together"
    assert UNIONS
