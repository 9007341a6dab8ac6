"""The bot gives possible answers with the published shares of outcomes, and knows the answers to the samples."""

from collections import Counter
from random import Random

import pytest

from annotation.parsing.sources import FileSource
from annotation.protocols.nq import demo, formats
from tests.protocols.nq.builders import item_of, parsed, problems_at, raw_item, sheet_at, stage_after


def play(item, answer):
    """Every response of one annotation, as given by `answer(sheet)`; impossible ones fail."""
    said = ()
    while (stage := stage_after(said)) is not None:
        payload = answer(sheet_at(stage, item, said))
        entry = parsed(stage, payload)
        assert problems_at(stage, entry.payload, item, said) == [], (stage, payload)
        said += (entry,)
    return said


def outcome(said):
    question, *rest = (entry.payload for entry in said)
    if question.verdict == "bad":
        return "bad"
    long, *short = rest
    if long.kind == "none":
        return "none"
    return {"none": "long only", "spans": "spans"}.get(short[0].kind, "yes or no")


def test_two_thousand_annotations_have_the_published_shares_and_all_are_possible():
    rng, item = Random(7), raw_item()
    played = [play(item, lambda sheet: demo.pretend(sheet, rng)) for _ in range(2000)]
    shares = Counter(map(outcome, played))
    wanted = {"bad": 14, "none": 37, "long only": 13, "spans": 35, "yes or no": 1}
    for path, percent in wanted.items():
        deviation = 4 * (2000 * percent / 100 * (1 - percent / 100)) ** 0.5
        assert abs(shares[path] - 20 * percent) <= deviation, shares
    spans = [len(said[2].payload.spans) for said in played if outcome(said) == "spans"]
    assert 0.86 < spans.count(1) / len(spans) < 0.94


def test_the_same_seed_gives_the_same_answers():
    item = raw_item()

    def played(seed):
        rng = Random(seed)
        return [play(item, lambda sheet: demo.pretend(sheet, rng)) for _ in range(20)]

    assert played(3) == played(3)
    assert played(3) != played(4)


@pytest.fixture(scope="module")
def samples():
    return {incoming.external_id: item_of(incoming) for incoming in formats.read(FileSource(demo.QUESTIONS))}


ALL = pytest.mark.in_test_all(
    shown_by="tests/protocols/nq/test_bots.py::test_known_answers_are_possible_on_their_pages"
)


@ALL
def test_the_bot_can_answer_every_sample(samples):
    for number, item in enumerate(samples.values()):
        rng = Random(number)
        for _ in range(4):
            play(item, lambda sheet, rng=rng: demo.pretend(sheet, rng))


def test_known_answers_are_possible_on_their_pages(samples):
    known = demo.known_answers()
    assert known.keys() == samples.keys()
    can_be_given(known, dict([*samples.items()][::4]))


@ALL
def test_every_known_answer_is(samples):
    can_be_given(demo.known_answers(), samples)


def can_be_given(known, items):
    for external_id, item in items.items():
        said = play(item, lambda sheet, external_id=external_id: demo.answer_as_known(sheet, known[external_id]))
        assert outcome(said) == {"bad": "bad", "none": "none"}.get(known[external_id]["path"], outcome(said))


def test_a_known_answer_that_is_not_on_the_page_is_reported(samples):
    external_id, known = next(
        (key, one) for key, one in demo.known_answers().items() if isinstance(one.get("short"), list)
    )
    with pytest.raises(LookupError, match="begins with 'Nowhere'"):
        play(samples[external_id], lambda sheet: demo.answer_as_known(sheet, known | {"box": "Nowhere"}))
    with pytest.raises(LookupError, match="words 'Nowhere'"):
        play(samples[external_id], lambda sheet: demo.answer_as_known(sheet, known | {"short": ["Nowhere"]}))
