"""Every combination that the rules of NQ annotation forbid is refused: by the schema, or by `check` on the page."""

import orjson
import pytest
from pydantic import ValidationError

from annotation.protocols.nq.protocol import ANNOTATE
from tests.protocols.nq.builders import GOOD, box_where, parsed, problems_at, raw_item, spans_of

FIVE = ["ambiguous", "incomprehensible", "false_presupposition", "opinion", "not_a_request"]
SPAN = {"start": 1, "end": 2, "quote": "a"}


@pytest.mark.parametrize(
    ("stage", "payload"),
    [
        ("question", {}),
        ("question", {"verdict": "maybe"}),
        ("question", {"verdict": "bad"}),
        ("question", {"verdict": "bad", "reasons": []}),
        ("question", {"verdict": "bad", "reasons": ["ugly"]}),
        ("question", {"verdict": "bad", "reasons": ["opinion", "opinion"]}),
        ("question", {"verdict": "good", "reasons": ["opinion"]}),
        ("question", {"verdict": "bad", "reasons": ["opinion"], "kind": "box", "candidate": 1}),
        ("long_answer", {"kind": "none"}),
        ("long_answer", {"kind": "none", "reason": "tired"}),
        ("long_answer", {"kind": "none", "reason": "page", "candidate": 1}),
        ("long_answer", {"kind": "box", "candidate": 0}),
        ("long_answer", {"kind": "box", "candidate": -1, "quote": "a"}),
        ("long_answer", {"kind": "box", "candidate": "0", "quote": "a"}),
        ("long_answer", {"kind": "box", "candidate": True, "quote": "a"}),
        ("long_answer", {"kind": "box", "candidate": 0, "quote": "a", "reason": "page"}),
        ("long_answer", {"kind": "box", "candidate": 0, "quote": "a" * 201}),
        ("short_answer", {"kind": "spans"}),
        ("short_answer", {"kind": "spans", "spans": []}),
        ("short_answer", {"kind": "spans", "spans": [SPAN | {"end": None}]}),
        ("short_answer", {"kind": "spans", "spans": [SPAN | {"start": -1}]}),
        ("short_answer", {"kind": "yes", "spans": [SPAN]}),
        ("short_answer", {"kind": "no", "spans": []}),
        ("short_answer", {"kind": "none", "spans": [SPAN]}),
        ("short_answer", {"kind": "unknown"}),
    ],
)
def test_the_schema_cannot_represent_it(stage, payload):
    with pytest.raises(ValidationError):
        ANNOTATE.stage(stage).schema.validate_json(orjson.dumps(payload))


def test_all_five_reasons_together_are_possible():
    assert parsed("question", {"verdict": "bad", "reasons": FIVE}).payload.reasons == tuple(FIVE)


@pytest.fixture(scope="module")
def item():
    return raw_item()


@pytest.fixture(scope="module")
def box(item):
    """The first paragraph."""
    return box_where(item, "The old lighthouse")


@pytest.fixture(scope="module")
def said_box(box):
    """The question is good, and the first paragraph answers it."""
    return (parsed("question", GOOD), parsed("long_answer", box))


def codes(item, stage, payload, so_far):
    return [problem.code for problem in problems_at(stage, parsed(stage, payload).payload, item, so_far)]


BAD_QUESTION = {"verdict": "bad", "reasons": ["opinion"]}


@pytest.mark.parametrize("before", [(), (parsed("question", BAD_QUESTION),)], ids=["nothing said", "bad"])
def test_a_question_that_is_not_good_has_no_answer(item, box, before):
    assert codes(item, "long_answer", box, before) == ["not_good"]
    assert codes(item, "long_answer", {"kind": "none", "reason": "page"}, before) == ["not_good"]
    assert codes(item, "short_answer", {"kind": "yes"}, before) == ["not_good"]


@pytest.mark.parametrize("payload", [{"kind": "yes"}, {"kind": "none"}, {"kind": "spans", "spans": [SPAN]}])
def test_without_a_box_there_is_no_short_answer(item, payload):
    none = (parsed("question", GOOD), parsed("long_answer", {"kind": "none", "reason": "page"}))
    assert codes(item, "short_answer", payload, none) == ["no_box"]


def test_a_box_must_be_one_of_the_page_and_have_its_text(item, box):
    good = (parsed("question", GOOD),)
    count = len(item.documents[0].layout.candidates)
    assert codes(item, "long_answer", box, good) == []
    assert codes(item, "long_answer", box | {"candidate": count}, good) == ["no_such_box"]
    assert codes(item, "long_answer", box | {"candidate": 1}, good) == ["other_text"]
    assert codes(item, "long_answer", box | {"quote": ""}, good) == ["other_text"]
    assert codes(item, "long_answer", box | {"quote": "The old lighthouse stands"}, good) == ["other_text"]


def test_every_box_can_be_chosen_with_its_own_text(item):
    document = item.documents[0]
    for index in range(len(document.layout.candidates)):
        quote = " ".join(document.rendering(index).text.split())[:200]
        chosen = {"kind": "box", "candidate": index, "quote": quote}
        assert codes(item, "long_answer", chosen, (parsed("question", GOOD),)) == []


def test_marked_words_inside_the_box_are_possible(item, box, said_box):
    for quotes in (["25 July 1823"], ["25 July 1823", "1901"], ["The"], ["1823 & rebuilt"]):
        assert codes(item, "short_answer", spans_of(item, box, *quotes), said_box) == []
    for kind in ("yes", "no", "none"):
        assert codes(item, "short_answer", {"kind": kind}, said_box) == []


def test_a_span_is_refused_for_each_thing_wrong_with_it(item, box, said_box):
    (span,) = spans_of(item, box, "25 July 1823")["spans"]
    start, end = span["start"], span["end"]
    chosen = item.documents[0].layout.candidates[box["candidate"]]
    other_box = box_where(item, "Its keeper")
    outside = spans_of(item, other_box, "well known")["spans"][0]
    wrong = {
        "empty": [span | {"end": start}],
        "outside": [outside],
        "overlap": [span, span | {"start": end - 1, "end": end, "quote": "1823"}],
        "at_a_tag": [span | {"start": chosen.start_token}],
        "other_text": [span | {"quote": "25 July 1824"}],
    }
    for code, spans in wrong.items():
        assert codes(item, "short_answer", {"kind": "spans", "spans": spans}, said_box) == [code]
    backwards = spans_of(item, box, "1901", "25 July 1823")
    assert codes(item, "short_answer", backwards, said_box) == ["overlap"]
    beyond = span | {"end": len(item.documents[0].layout.tokens) + 1}
    assert codes(item, "short_answer", {"kind": "spans", "spans": [beyond]}, said_box) == ["outside"]
    assert codes(item, "short_answer", {"kind": "spans", "spans": [span | {"quote": " "}]}, said_box) == ["other_text"]


def test_each_wrong_span_is_named(item, box, said_box):
    right, wrong = spans_of(item, box, "25 July 1823", "1901")["spans"]
    payload = parsed("short_answer", {"kind": "spans", "spans": [right, wrong | {"quote": "1902"}]}).payload
    (problem,) = problems_at("short_answer", payload, item, said_box)
    assert problem.field == "spans.1"
    assert problem.message == "The words of this span have changed. Reload the page and mark it again."
