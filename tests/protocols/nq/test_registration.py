"""NQ is registered with everything that an activity needs."""

import pytest
from pydantic import ValidationError

from annotation import registry
from annotation.protocols.nq.protocol import ANNOTATE, PROTOCOL
from annotation.triggers.payloads import shapes


def test_the_registry_knows_it_with_a_form_for_every_stage():
    assert registry.get("nq") is PROTOCOL
    for stage in ANNOTATE.stages:
        form = registry.form_of("nq", stage.key)
        assert callable(form.payload)
        assert callable(form.fields_of)


def test_only_the_question_is_sealed_and_only_later_stages_can_be_imported():
    assert [stage.key for stage in ANNOTATE.stages if stage.sealed] == ["question"]
    assert [stage.key for stage in ANNOTATE.stages if stage.published] == ["long_answer", "short_answer"]


def test_training_is_annotated_once_and_development_and_test_five_times():
    assert ANNOTATE.overlap == {"train": 1, "dev": 5, "test": 5}


def test_the_database_knows_the_keys_of_every_kind_of_answer():
    kinds = {stage.key: set(shapes(stage.schema)[1]) for stage in ANNOTATE.stages}
    assert kinds == {
        "question": {"good", "bad"},
        "long_answer": {"box", "none"},
        "short_answer": {"spans", "yes", "no", "none"},
    }


def test_a_project_may_turn_the_advice_off_and_unknown_numbers_are_refused():
    assert PROTOCOL.config().advise_smaller_box is True
    assert PROTOCOL.config.model_validate_json('{"advise_smaller_box": false}').advise_smaller_box is False
    with pytest.raises(ValidationError):
        PROTOCOL.config.model_validate_json('{"advise": true}')


def test_a_project_starts_with_guidelines_in_markdown():
    assert PROTOCOL.guideline().startswith("# ")
