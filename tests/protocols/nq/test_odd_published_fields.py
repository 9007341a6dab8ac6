"""Extreme ids, unknown keys, missing keys and negative offsets survive a round trip."""

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.protocols.nq import formats
from annotation.values.records import ReleaseRecord
from tests.protocols.nq.builders import (
    NULL,
    annotation,
    annotations_of,
    item_of,
    original,
    ours,
    published,
    raw_item,
    read,
    round_trip,
)

SIMPLIFIED = "v1.0-simplified_simplified-nq-train.jsonl.gz"
INT64 = st.integers(-(2**63), 2**63 - 1)
UINT64 = st.integers(0, 2**64 - 1)


def without_bytes(span):
    return {key: value for key, value in span.items() if not key.endswith("_byte")}


@pytest.mark.parametrize("example_id", [-(2**63), -1, 0, 2**63 - 1])
@pytest.mark.parametrize("annotation_id", [0, 2**63, 2**64 - 1])
def test_the_largest_and_smallest_ids_stay_the_same_integers(example_id, annotation_id):
    record = original(example_id=example_id, annotations=[annotation(annotation_id)])
    assert round_trip(record) == record
    assert round_trip(record, "nq-simplified")["annotations"][0]["annotation_id"] == annotation_id


def test_our_own_annotation_has_the_id_of_the_release_as_an_integer():
    (record,) = formats.write("nq", [ReleaseRecord(raw_item(example_id=-(2**63)), (ours(2**64 - 1),))])
    assert record["annotations"][0]["annotation_id"] == 2**64 - 1
    assert record["example_id"] == -(2**63)


def test_unknown_keys_come_out_where_they_were():
    short = {"end_byte": -1, "end_token": -1, "start_byte": -1, "start_token": -1, "why": [1, None]}
    record = original(annotations=[annotation(shorts=[short], worker={"id": 2**64 - 1}, note="x")])
    record["annotations"][0]["long_answer"] = NULL | {"confidence": 0.5}
    record["document_tokens"][3]["pos"] = "NN"
    record["long_answer_candidates"][1]["rank"] = 1
    record["published"] = {"source": None}
    assert round_trip(record) == record


def test_a_record_in_the_form_of_the_readme_comes_out_without_the_keys_it_lacks():
    record = original()
    for key in ("document_title", "question_tokens"):
        del record[key]
    assert round_trip(record) == record


def test_a_record_without_annotations_gets_the_key_once_it_has_some():
    record = original()
    del record["annotations"]
    incoming = published(record)
    assert round_trip(record) == record
    (written,) = formats.write("nq", [ReleaseRecord(item_of(incoming), (ours(9),))])
    assert [one["annotation_id"] for one in written["annotations"]] == [9]


def test_spans_without_byte_keys_come_out_without_them():
    short = {"end_token": 9, "start_token": 8}
    record = original(annotations=[annotation(long=without_bytes(NULL), shorts=[short])])
    assert round_trip(record) == record


def test_a_simplified_record_keeps_underscores_exotic_blanks_and_unknown_keys():
    record = {
        "question_text": "q",
        "example_id": 3,
        "document_url": "u",
        "document_text": 'T <P> a\u3000b \u180e <Th_colspan="2"> x_y </P>  . ',
        "long_answer_candidates": [{"end_token": 7, "start_token": 1, "top_level": True, "extra": 1}],
        "annotations": [annotation(long=without_bytes(NULL) | {"start_byte": -1}, more=[])],
        "unknown": {"a": 1},
    }
    assert round_trip(record, "nq-simplified", SIMPLIFIED) == record


def test_several_questions_on_one_page_share_one_layout():
    first, second = published(original(example_id=1)), published(original(example_id=2, question_text="another"))
    assert first.documents[0].layout.to_bytes() == second.documents[0].layout.to_bytes()
    assert first.documents[0].source == second.documents[0].source
    assert (first.external_id, second.external_id) == ("1", "2")


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=5)
VALUES = st.recursive(st.none() | st.booleans() | INT64 | TEXT, lambda inner: st.lists(inner, max_size=3), max_leaves=5)
EXTRAS = st.dictionaries(st.sampled_from(["x", "published", "é", "said"]), VALUES, max_size=2)
SPAN = st.fixed_dictionaries(
    {"start_token": INT64, "end_token": INT64}, optional={"start_byte": INT64, "end_byte": INT64}
)
LONG = st.builds(lambda span, index, extra: extra | span | {"candidate_index": index}, SPAN, INT64, EXTRAS)
ANNOTATION = st.builds(
    lambda key, long, shorts, yes_no, extra: annotation(key, long, shorts, yes_no) | extra,
    UINT64,
    LONG,
    st.lists(st.builds(lambda span, extra: extra | span, SPAN, EXTRAS), max_size=3),
    st.sampled_from(["NONE", "YES", "NO", "none", "Yes"]),
    EXTRAS,
)
RECORD = original()


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(INT64, st.lists(ANNOTATION, max_size=4, unique_by=lambda one: one["annotation_id"]), EXTRAS)
def test_any_published_annotations_come_out_as_they_went_in(example_id, annotations, extra):
    record = copy.deepcopy(RECORD) | extra | {"example_id": example_id, "annotations": annotations}
    assert round_trip(record) == record
    assert len(annotations_of(published(record))) == len(annotations)


@settings(max_examples=30)
@given(st.text(alphabet="aé_ <>P/\t\u3000🦊", min_size=1, max_size=40), st.lists(ANNOTATION, max_size=1), EXTRAS)
def test_any_simplified_text_comes_out_as_it_went_in(text, annotations, extra):
    record = extra | {
        "question_text": "q",
        "example_id": 1,
        "document_url": "",
        "document_text": text,
        "long_answer_candidates": [{"end_token": 1, "start_token": 0, "top_level": True}],
        "annotations": annotations,
    }
    written = round_trip(json.loads(json.dumps(record)), "nq-simplified", SIMPLIFIED)
    assert written == record


@pytest.mark.parametrize("example_id", ["-1011141123527297803", "0", "9223372036854775807"])
def test_the_test_file_of_the_kaggle_challenge_comes_out_with_its_ids_as_text(example_id):
    record = {"example_id": example_id, "question_text": "who lit it", "document_text": "It was lit by Anna ."}
    record |= {"long_answer_candidates": [{"start_token": 0, "end_token": 6, "top_level": True}]}
    incoming = published(record, SIMPLIFIED)
    assert incoming.external_id == example_id
    assert round_trip(record, "nq-simplified", SIMPLIFIED) == record
    assert round_trip(original(example_id=example_id))["example_id"] == example_id


@pytest.mark.parametrize("example_id", ["", "07", "+7", "-0", " 7", "7.0", "seven", "٧", str(2**63)])
def test_an_id_that_is_no_number_of_64_bits_in_its_only_spelling_is_refused(example_id):
    (found,) = read(original(example_id=example_id), name="nq-dev-00.jsonl.gz", published=True)
    assert found.field == "example_id"
