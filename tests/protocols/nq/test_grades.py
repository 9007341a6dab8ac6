"""Annotations are graded by their verdict, their box and their short answer, against the best reference as a whole."""

import gzip
import json
from fractions import Fraction
from itertools import product

import pytest

from annotation.protocols.nq import scoring
from annotation.protocols.nq.protocol import PROTOCOL
from annotation.values.records import AnnotationRecord, Step
from tests.protocols.nq.builders import GOOD, annotations_of, box_where, item_of, ours, parsed, published, raw_item
from tests.protocols.nq.builders import spans_of as marked

ITEM = raw_item()
TABLE = box_where(ITEM, "Lamp oil Height")
ROW = box_where(ITEM, "Height")
OTHER_ROW = box_where(ITEM, "Lamp")
LIST = box_where(ITEM, "One door Two")
HALF = Fraction(1, 2)
NO_SHORT = {"kind": "none"}

BAD = ours(question={"verdict": "bad", "reasons": ["opinion"]})
NULL = ours(question=GOOD, long_answer={"kind": "none", "reason": "page"})
NOTHING = AnnotationRecord("annotate", ())


def boxed(box, *quotes, short=NO_SHORT):
    """A good question with an answer in this box."""
    return ours(question=GOOD, long_answer=box, short_answer=marked(ITEM, box, *quotes) if quotes else short)


def imported(long=None, *spans, yes_no="NONE"):
    """An imported annotation; `long`: the index of its box."""
    offsets = {"start_token": -1, "end_token": -1}
    if long is not None:
        found = ITEM.documents[0].layout.candidates[long]
        offsets = {"start_token": found.start_token, "end_token": found.end_token}
    index = -1 if long is None else long
    shorts = [{"start_token": start, "end_token": end} for start, end in spans]
    answers = (
        parsed("long_answer", offsets | {"candidate_index": index}, "nq.long_answer/published/1"),
        parsed("short_answer", {"short_answers": shorts, "yes_no_answer": yes_no}, "nq.short_answer/published/1"),
    )
    return AnnotationRecord("annotate", answers, imported=True)


def graded(answer, *references, item=ITEM):
    """The points by part."""
    return {score.part.key: score.points for score in PROTOCOL.grade("annotate", item, answer, references)}


def points(verdict=None, box=None, short=None):
    found = {"verdict": verdict, "box": box, "short": short}
    return {part: each for part, each in found.items() if each is not None}


HEIGHT = boxed(ROW, "sixty-three metres")


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        (BAD, BAD, points(1)),
        (NULL, BAD, points(0)),
        (HEIGHT, BAD, points(0)),
        (NULL, NULL, points(1, 1)),
        (BAD, NULL, points(0, 1)),  # null is null, be it for a bad question
        (HEIGHT, NULL, points(1, 0)),
        (HEIGHT, HEIGHT, points(1, 1, 1)),
        (NULL, HEIGHT, points(1, 0, 0)),
        (BAD, HEIGHT, points(0, 0, 0)),
        (NOTHING, HEIGHT, points(0, 0, 0)),
        (NOTHING, NULL, points(0, 0)),
        (boxed(ROW, "sixty-three"), HEIGHT, points(1, 1, Fraction(6, 7))),  # 3 of the 4 tokens
        (boxed(ROW), HEIGHT, points(1, 1, 0)),
        (boxed(TABLE, "sixty-three metres"), HEIGHT, points(1, HALF, 1)),  # around the reference's
        (HEIGHT, boxed(TABLE, "sixty-three metres"), points(1, HALF, 1)),  # in it, with the answer
        (boxed(ROW), boxed(TABLE, "oil"), points(1, 0, 0)),  # in it, but the answer is in the other row
        (boxed(ROW), boxed(TABLE, "oil", "sixty-three metres"), points(1, 0, 0)),  # in it, with half of the answer
        (boxed(ROW), boxed(TABLE), points(1, 0, 0)),  # in it; nothing tells where in it the answer is
        (boxed(TABLE), boxed(ROW), points(1, HALF, 1)),
        (boxed(LIST), boxed(ROW), points(1, 0, 0)),  # "no short answer" is a word about the right box
        (boxed(ROW, short={"kind": "yes"}), boxed(ROW, short={"kind": "yes"}), points(1, 1, 1)),
        (boxed(ROW, short={"kind": "yes"}), boxed(ROW, short={"kind": "no"}), points(1, 1, 0)),
        (boxed(LIST, short={"kind": "yes"}), boxed(ROW, short={"kind": "yes"}), points(1, 0, 1)),
        (boxed(ROW, short={"kind": "no"}), HEIGHT, points(1, 1, 0)),
    ],
)
def test_one_reference(answer, reference, expected):
    assert graded(answer, reference) == expected


def test_the_references_together_fix_the_parts_and_the_best_one_counts_as_a_whole():
    assert graded(NULL, HEIGHT, NULL) == points(1, 1, 1)
    assert graded(BAD, HEIGHT, NULL) == points(0, 1, 1)
    assert graded(BAD, HEIGHT, BAD) == points(1, 1, 1)
    # The box of one and the short answer of the other make no third reference.
    apart = boxed(ROW, short={"kind": "no"}), boxed(TABLE, "oil")
    assert graded(boxed(ROW, short={"kind": "yes"}), *apart) == points(1, 1, 0)


def test_work_that_ended_before_the_short_answer_has_nothing_for_it():
    begun = ours(question=GOOD, long_answer=ROW)
    assert graded(begun, boxed(ROW)) == points(1, 1, 0)
    assert graded(ours(question=GOOD), NULL) == points(1, 0)


def test_imported_references_state_no_verdict():
    index = ROW["candidate"]
    spans = [(span["start"], span["end"]) for span in marked(ITEM, ROW, "sixty-three metres")["spans"]]
    assert graded(HEIGHT, imported(index, *spans)) == points(None, 1, 1)
    assert graded(BAD, imported()) == graded(NULL, imported()) == points(None, 1)
    assert graded(boxed(TABLE), imported(index, yes_no="YES")) == points(None, HALF, 0)
    assert graded(BAD, imported(), HEIGHT) == points(1, 1, 1)


def test_each_part_is_of_its_stage_and_shows_both_answers():
    verdict, box, short = PROTOCOL.grade("annotate", ITEM, BAD, [HEIGHT])
    assert [score.step for score in (verdict, box, short)] == [
        Step("question"),
        Step("long_answer"),
        Step("short_answer"),
    ]
    assert (verdict.said.text, verdict.wanted.text) == ("Bad", "Good")
    assert (box.said.text, box.wanted) == ("No long answer", ("Height sixty-three metres", True))
    assert (short.said.text, short.wanted) == ("No short answer", ("sixty-three metres", True))
    _, short = PROTOCOL.grade("annotate", ITEM, NOTHING, [imported(ROW["candidate"], (61, 63))])
    assert (short.said.text, short.wanted.quoted) == ("", True)


@pytest.fixture(scope="module")
def scored(shared):
    with gzip.open(shared / "scored/nq/gold.jsonl.gz") as file:
        return [json.loads(line) for line in file]


def test_full_points_go_to_what_the_official_script_judges_correct(scored):
    compared = 0
    for record in scored:
        incoming = published(record)
        item, annotations = item_of(incoming), annotations_of(incoming)
        labels = scoring.gold_labels([record])[record["example_id"]]
        for (own, label), (other, gold) in product(zip(annotations, labels, strict=True), repeat=2):
            found = graded(own, other, item=item)
            long = scoring.long_verdict([gold], label, at_least=1)
            assert (found["box"] == 1) == (long.correct or not (long.gold or long.predicted))
            short = scoring.short_verdict([gold], label, at_least=1)
            if short.gold and short.predicted:
                assert (found["short"] == 1) == short.correct
            compared += short.gold and short.predicted
    assert compared > 100
