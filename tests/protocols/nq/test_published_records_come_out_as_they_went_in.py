"""A published file that is imported and released again has the same fields with the same values."""

import copy
import gzip
import json

import pytest

from annotation.errors import ReleaseRefused
from tests.protocols.nq.builders import annotations_of, item_of, published, round_trip

SIMPLIFIED = "simplified-nq-train.jsonl"


@pytest.fixture
def record(shared):
    """The real original record."""
    with gzip.open(shared / "nq/nq-dev-00.jsonl.gz") as file:
        return json.loads(file.readline())


@pytest.fixture
def simplified(shared):
    """The same record as published in the simplified layout."""
    return json.loads((shared / "nq/simplified-1example.json").read_bytes())


@pytest.fixture
def scored(shared):
    with gzip.open(shared / "scored/nq/gold.jsonl.gz") as file:
        return [json.loads(line) for line in file]


def test_the_real_original_record_has_every_value_and_the_published_order_of_keys(record):
    written = round_trip(record)
    assert written == record
    assert json.dumps(written) == json.dumps(record)


def test_the_real_simplified_record_has_every_value(simplified):
    assert round_trip(simplified, "nq-simplified", SIMPLIFIED) == simplified


def test_the_five_annotations_of_the_real_record_are_imported_without_a_note(record):
    incoming = published(record)
    assert [one.external_id for one in incoming.annotations][1] == "13037645000009169623"
    assert len(incoming.annotations) == 5
    assert incoming.notes == ()


def test_the_original_record_in_the_simplified_layout_is_the_published_simplified_record(record, simplified):
    incoming = published(record)
    written = round_trip(record, "nq-simplified")
    assert written == simplified
    assert item_of(incoming).external_id == "5225754983651766092"


def test_sixty_four_records_with_five_annotations_each_come_out_as_they_went_in(scored):
    for record in scored:
        assert json.dumps(round_trip(record)) == json.dumps(record)


def test_a_simplified_record_cannot_be_released_in_the_original_layout(simplified):
    with pytest.raises(ReleaseRefused, match="5225754983651766092 was imported in the simplified layout"):
        round_trip(simplified, "nq", SIMPLIFIED)


def test_three_annotations_come_out_as_three(record):
    record["annotations"] = record["annotations"][1:4]
    assert round_trip(record) == record
    assert len(annotations_of(published(record))) == 3


def test_what_the_official_rules_forbid_is_kept_and_noted(record):
    odd = copy.deepcopy(record["annotations"][3])
    odd["yes_no_answer"] = "YES"
    odd["long_answer"]["start_byte"] += 1
    odd["short_answers"].append(odd["short_answers"][0] | {"start_token": 130})
    record["annotations"][3] = odd
    incoming = published(record)
    notes = " ".join(incoming.notes)
    assert round_trip(record) == record
    assert "Annotation 15051359051424338858: it has yes or no as well as spans." in notes
    assert "offsets are not those of its candidate" in notes
    assert "short answer 2: its bytes and its tokens do not match" in notes
    assert "short answer 2: it overlaps the one before it, or comes before it" in notes
