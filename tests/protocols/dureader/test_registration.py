"""DuReader is registered with everything its activity needs, and its templates show the answers."""

import re

from django.template.loader import render_to_string

from annotation import registry
from annotation.protocols.dureader import rules
from annotation.protocols.dureader.protocol import COMPOSE, PROTOCOL
from annotation.values.records import latest_payload
from tests.protocols.dureader.builders import NONE, answered_row, composed, item, ours, published


def shown(annotation, of, stage="answers"):
    payload = latest_payload(annotation.answers, stage)
    html = render_to_string(f"dureader/{stage}_read.html", {"view": rules.view(stage, payload, of)})
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_the_registry_knows_it():
    assert registry.get("dureader") is PROTOCOL
    assert [one.key for one in PROTOCOL.formats] == ["v2.0", "repository"]


def test_two_people_answer_where_agreement_is_measured():
    assert COMPOSE.overlap == {"train": 1, "dev": 2, "test": 2}


def test_leads_read_answers_with_opinions_entities_and_documents():
    of = item("YES_NO")
    text = shown(ours(composed(("It did.", "Yes"), ("It did not.", "No"), used=[0, 1])), of)
    assert text == "It did. Yes It did not. No Documents used: Lamps of the lighthouse ; 灯塔"
    assert shown(ours(composed(("Oil.", ["rape oil"]))), of).startswith("Oil. rape oil Documents used:")
    assert shown(ours(NONE), of) == "No answer in the documents"
    assert shown(ours(NONE, kind=("ENTITY", "OPINION")), of, "kind") == "Entities asks for an opinion"


def test_leads_read_published_answers_as_they_came():
    found = published(answered_row(kind="YES_NO", yesno_answers=["Yes", "Maybe"]))
    text = shown(found.annotations[0], found.item)
    assert text == "It burned rape oil. Yes Later gas. Maybe Documents used: Lamps of the lighthouse"


def test_an_item_is_called_by_its_question():
    assert PROTOCOL.caption("question", {"question": " which oil "}) == "which oil"
    assert PROTOCOL.id_field("question") == "question_id"
    assert "##" in PROTOCOL.guideline()
    assert "question_id" in PROTOCOL.file_format()
