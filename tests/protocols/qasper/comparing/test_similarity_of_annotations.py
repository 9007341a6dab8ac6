"""The similarity of two annotations is symmetric, 1 with itself, and the same for ours and for published ones."""

import pytest

from annotation.protocols.qasper.scoring import compare
from annotation.values.records import AnnotationRecord
from tests.protocols.qasper.builders import (
    FIRST,
    SECOND,
    annotations_of,
    answer,
    float_unit,
    ours,
    paper,
    question,
    read_release,
    sentences,
    span,
)

KELP = sentences(0, 1, 2, "They sleep on 🦊 kelp.")
OTTERS = sentences(0, 0, 1, "Otters hold hands (see Fig. 1).")
JUGGLE = sentences(2, 0, 1, "Some otters juggle.")
FIGURE = float_unit(0, "Figure 1: An otter.")

OURS = {
    "unanswerable": {"kind": "unanswerable"},
    "kelp": {"kind": "extractive", "spans": [span(0, "kelp")], "evidence": [KELP]},
    "the kelp": {"kind": "abstractive", "text": "the kelp", "evidence": [OTTERS, JUGGLE]},
    "no token": {"kind": "extractive", "spans": [span(0, "🦊")], "evidence": [FIGURE]},
    "article": {"kind": "abstractive", "text": "the", "evidence": [FIGURE]},
    "yes": {"kind": "yes_no", "value": True, "evidence": [FIGURE, KELP], "by_absence": False},
    "absent": {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True},
}
PUBLISHED = {
    "published kelp": {"extractive_spans": ["kelp"], "evidence": [FIRST]},
    "published both": {"extractive_spans": ["kelp"], "evidence": [FIRST, SECOND, FIRST]},
    "published none": {"unanswerable": True, "extractive_spans": [], "evidence": []},
    "published yes": {
        "extractive_spans": [],
        "yes_no": True,
        "evidence": ["FLOAT SELECTED: Figure 1: An otter.", FIRST],
    },
    "of no type": {"extractive_spans": [], "evidence": []},
}


def annotation(name):
    if name in OURS:
        return ours(OURS[name])
    data = {"1": paper(qas=[question(answers=[answer(**PUBLISHED[name])])])}
    (found,) = annotations_of(read_release(data)[1])
    return found


NAMES = [*OURS, *PUBLISHED]


@pytest.mark.parametrize("name", NAMES)
def test_every_annotation_is_identical_to_itself(name):
    assert compare("answer", annotation(name), annotation(name)) == 1


@pytest.mark.parametrize("one", NAMES)
def test_similarity_is_symmetric_and_between_0_and_1(one):
    for other in NAMES:
        value = compare("answer", annotation(one), annotation(other))
        assert value == compare("answer", annotation(other), annotation(one))
        assert 0 <= value <= 1


PAIRS = [
    ("kelp", "unanswerable", 0),
    ("unanswerable", "published none", 1),
    ("kelp", "published kelp", 1),
    ("yes", "published yes", 1),
    ("kelp", "published both", (1 + 2 / 3) / 2),
    ("published kelp", "published both", (1 + 2 / 3) / 2),
    ("kelp", "the kelp", (1 + 2 / 3) / 2),
    ("yes", "absent", 0),
    ("kelp", "yes", (0 + 2 / 3) / 2),
    ("no token", "article", 0.5),
]


@pytest.mark.parametrize(("one", "other", "value"), PAIRS)
def test_the_mean_of_answer_and_evidence(one, other, value):
    assert compare("answer", annotation(one), annotation(other)) == pytest.approx(value)


def asked(*texts):
    payload = {"nlp_background": "", "topic_background": "", "paper_read": "", "search_query": ""}
    questions = [{"text": text, "answerable_from_abstract": False} for text in texts]
    return ours(payload | {"questions": questions}, "questions", "ask")


def test_questions_are_alike_by_their_words():
    one, other = asked("Who counts otters?"), asked("Where is it?", "Who counts otters?")
    assert compare("ask", one, one) == compare("ask", other, other) == 1
    assert compare("ask", one, other) == compare("ask", other, one) == pytest.approx(2 / 3)
    assert compare("ask", asked("???"), asked("???")) == 1
    assert compare("ask", one, AnnotationRecord("ask", ())) == 0
