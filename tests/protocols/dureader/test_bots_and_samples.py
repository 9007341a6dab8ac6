"""Bots make valid payloads, and the known answers fit the sample questions."""

from collections import Counter
from random import Random

import orjson
import pytest

from annotation.documents.words import boundaries
from annotation.parsing.incoming import IncomingItem
from annotation.parsing.sources import FileSource
from annotation.protocols.dureader import demo, reading, rules
from annotation.protocols.dureader.forms import FORMS
from annotation.protocols.dureader.protocol import PROTOCOL
from annotation.values.records import Step
from tests.protocols.dureader.builders import context, item, problems_at, said, sheet_at
from tests.protocols.records import item_of

KNOWN = orjson.loads(demo.KNOWN.read_bytes())
TYPES = ("DESCRIPTION", "ENTITY", "YES_NO")


@pytest.fixture(scope="module")
def samples():
    found = list(reading.read(FileSource(demo.QUESTIONS)))
    assert all(isinstance(one, IncomingItem) and one.notes == () and one.split == "dev" for one in found)
    return [item_of(one) for one in found]


def possible(stage, payload, of, *answers):
    """Form, schema and check accept the payload, and the form gives it back."""
    form = FORMS[stage](FORMS[stage].fields_of(payload))
    assert form.is_valid(), form.errors
    assert form.payload() == payload
    assert problems_at(stage, payload, of, *answers) == []


def worked(of, answer):
    """Both stages of an item, each answered by `answer(sheet)`, as far as they come."""
    answers = []
    while step := PROTOCOL.next_step(context(of, *answers)):
        payload = answer(rules.sheet(context(of, *answers), Step(step.stage)))
        possible(step.stage, payload, of, *answers)
        answers.append(said(step.stage, payload))
    return answers


def test_every_sample_has_two_answers_that_are_possible(samples):
    assert {each.external_id for each in samples} == set(KNOWN)
    for each in samples:
        for name in KNOWN[each.external_id]:
            worked(each, lambda sheet, of=each, who=name: demo.answer_sample(sheet, of.external_id, who))


def test_the_samples_show_every_kind_of_question(samples):
    types = Counter(each.payload.get("question_type") for each in samples)
    assert {*TYPES, None} <= set(types)


@pytest.mark.parametrize("kind", TYPES)
def test_bots_answer_any_question_of_that_type(samples, kind):
    numbers = Counter()
    for seed in range(100):
        of = item(kind) if seed % 2 else samples[seed % len(samples)]
        if seed % 2:
            payload = demo.pretend(sheet_at("answers", of), Random(seed))
            possible("answers", payload, of)
            numbers[len(payload["answers"])] += 1
        else:
            rng = Random(seed)
            worked(of, lambda sheet, rng=rng: demo.pretend(sheet, rng))
    assert {0, 1, 2} <= set(numbers)


def test_bots_never_cut_a_character():
    text = "👩‍👩‍👧 می‌خواهم 🇨🇭 é灯塔"
    of = item("ENTITY", documents=[{"title": "👩‍👩‍👧", "paragraphs": [text]}])
    places = boundaries(text)
    for seed in range(50):
        for answer in demo.pretend(sheet_at("answers", of), Random(seed))["answers"]:
            for piece in (answer["text"], *answer.get("entities", ())):
                start = text.index(piece)
                assert not places.cuts_character(start)
                assert not places.cuts_character(start + len(piece))


def test_a_large_file_has_so_many_questions_and_is_always_the_same(tmp_path):
    one, other = demo.write_large(tmp_path / "one", 30), demo.write_large(tmp_path / "other", 30)
    assert one.read_bytes() == other.read_bytes()
    found = list(reading.read(FileSource(one)))
    assert len({each.external_id for each in found}) == 30


def test_no_sheet_of_another_protocol():
    with pytest.raises(TypeError):
        demo.answer_sample(object(), next(iter(KNOWN)))
