"""Results of judging rounds are shown by what a question asks for, where that came with it."""

from __future__ import annotations

from annotation import registry
from annotation.protocols.dureader.forms import TYPES


def test_every_type_that_a_question_can_have_has_a_title_and_a_question_without_one_has_no_type():
    protocol = registry.get("dureader")
    assert sorted(protocol.item_types) == sorted(key for key, _title in TYPES)
    assert protocol.type_of({"question": "q", "question_type": "ENTITY"}) == "ENTITY"
    assert protocol.type_of({"question": "q", "question_type": None}) == ""
