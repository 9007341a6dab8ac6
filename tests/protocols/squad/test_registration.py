"""SQuAD is registered with everything its activities need, and its templates show the answers."""

import re

import pytest
from django.template.loader import render_to_string
from pydantic import ValidationError

from annotation import registry
from annotation.protocols.squad.protocol import ANSWERING, ASK, PROTOCOL
from annotation.triggers.payloads import shapes
from annotation.values.records import latest_payload
from tests.protocols.squad.builders import (
    NONE,
    annotations_of,
    article,
    asked,
    file_v2,
    item_of,
    marked,
    paragraph,
    paragraph_item,
    parsed,
    question,
    question_item,
    read_release,
)


def test_the_registry_knows_it():
    assert registry.get("squad") is PROTOCOL
    assert [one.key for one in PROTOCOL.formats] == ["v2.0", "v1.1"]


def test_who_asks_about_a_paragraph_does_not_answer_there():
    assert (ASK.kind, ASK.excludes, ASK.shows_at_claim) == ("paragraph", {"answer"}, False)
    assert (ANSWERING.kind, ANSWERING.excludes, ANSWERING.shows_at_claim) == ("question", {"ask"}, True)


def test_further_answers_are_wanted_outside_the_training_set():
    assert ANSWERING.overlap == {"train": 0, "dev": 2, "test": 2}
    assert ASK.overlap == {}


def test_the_database_knows_the_keys_of_every_kind_of_answer():
    (stage,) = ANSWERING.stages
    assert shapes(stage.schema) == ("kind", {"span": [{"kind", "span"}], "unanswerable": [{"kind"}]})


def test_a_project_has_one_of_two_versions():
    assert PROTOCOL.config().version == "2.0"
    assert PROTOCOL.config.model_validate_json('{"version": "1.1"}').version == "1.1"
    with pytest.raises(ValidationError):
        PROTOCOL.config.model_validate_json('{"version": "3"}')


def test_each_stage_has_its_place_in_the_guidelines():
    anchors = re.findall(r"^## .*{#(\w+)}$", PROTOCOL.guideline(), re.MULTILINE)
    assert anchors == [stage.key for activity in PROTOCOL.activities for stage in activity.stages]


def reading(stage, payload, item):
    shown = PROTOCOL.view(stage, payload, item)
    text = render_to_string(f"squad/{stage}_read.html", {"view": shown})
    return re.sub(r"<[^>]+>|\s+", " ", text).split()


def test_questions_are_read_with_their_words():
    payload = parsed("questions", asked(("Who?", "Anna Holt"), ("When?", "1871", "impossible"))).payload
    words = reading("questions", payload, paragraph_item())
    assert " ".join(words) == "Who? Anna Holt When? no answer looks like one: 1871"


@pytest.mark.parametrize(("payload", "words"), [(marked("1871"), "1871"), (NONE, "The paragraph does not answer")])
def test_answers_are_read(payload, words):
    assert " ".join(reading("answer", parsed("answer", payload).payload, question_item())) == words


def test_published_answers_are_read():
    root, one = read_release(file_v2(article(paragraph(question(1)))))
    [annotation] = annotations_of(one)
    shown = reading("answer", latest_payload(annotation.answers, "answer"), item_of(one, item_of(root)))
    assert " ".join(shown) == "Anna Holt"
