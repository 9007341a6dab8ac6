"""QASPER is registered with everything that its activities need."""

import pytest
from pydantic import ValidationError

from annotation import registry
from annotation.protocols.qasper.protocol import ANSWERING, ASK, PROTOCOL
from annotation.triggers.payloads import shapes
from annotation.values.schemas import Mix
from tests.protocols.qasper.builders import paper, question, read


def test_the_registry_knows_it_with_a_form_for_every_stage():
    assert registry.get("qasper") is PROTOCOL
    for activity in PROTOCOL.activities:
        for stage in activity.stages:
            form = registry.form_of("qasper", stage.key)
            assert callable(form.payload)
            assert callable(form.fields_of)


def test_people_who_ask_do_not_answer():
    assert (ASK.kind, ASK.picks, ASK.minutes, ASK.excludes) == ("paper", "search", 60, {"answer"})
    assert (ANSWERING.kind, ANSWERING.picks, ANSWERING.excludes) == ("question", "next", {"ask"})
    assert ANSWERING.minutes == 48 * 60


def test_overlap_is_as_published():
    assert ANSWERING.overlap == {
        "train": 1,
        "dev": Mix(base=1, more=2, share=0.74),
        "test": Mix(base=2, more=3, share=0.4),
    }


def test_the_database_knows_the_keys_of_every_kind_of_answer():
    (stage,) = ANSWERING.stages
    discriminator, kinds = shapes(stage.schema)
    assert discriminator == "kind"
    assert kinds == {
        "unanswerable": [{"kind"}],
        "extractive": [{"kind", "spans", "evidence", "in_abstract"}],
        "yes_no": [{"kind", "value", "evidence", "by_absence", "in_abstract"}],
        "abstractive": [{"kind", "text", "evidence", "in_abstract"}],
    }


def test_only_answers_can_be_imported():
    assert [stage.published_name for activity in PROTOCOL.activities for stage in activity.stages] == [
        "",
        "qasper.answer/published/1",
    ]


def test_a_project_accepts_cc_by_and_separates_its_pools_by_default():
    config = PROTOCOL.config()
    assert (config.licences, config.separate_pools) == (("CC BY",), True)
    assert PROTOCOL.config.model_validate_json('{"licences": [], "separate_pools": false}').licences == ()
    with pytest.raises(ValidationError):
        PROTOCOL.config.model_validate_json('{"licence": "CC BY"}')


def test_a_project_starts_with_guidelines_in_markdown():
    assert PROTOCOL.guideline().startswith("# ")


def test_a_release_is_one_object_per_split_with_questions_under_papers():
    (found,) = PROTOCOL.formats
    assert (found.kind, found.child_kind, found.activity, found.container) == ("paper", "question", "answer", "object")
    assert found.pattern.format(split="dev", shard=0) == "qasper-dev-v0.3.json"


def test_papers_are_found_by_title_and_abstract_and_not_without_an_abstract():
    found, asked = read({"1": paper(qas=[question()])})
    assert PROTOCOL.search_text(found) == ("Otters at rest", paper()["abstract"])
    assert PROTOCOL.search_text(asked) is None
    (without,) = read({"1": paper(abstract=" ")})
    assert PROTOCOL.search_text(without) is None
