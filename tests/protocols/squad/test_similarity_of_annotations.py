"""Agreement of two annotations, 0 to 1: answers by token F1, questions by the best matches of both sides."""

import pytest

from annotation.protocols.squad.protocol import PROTOCOL
from tests.protocols.squad.builders import (
    NONE,
    annotations_of,
    answer,
    article,
    asked,
    file_v2,
    marked,
    ours,
    paragraph,
    question,
    read_release,
)


def published(text):
    _, one = read_release(file_v2(article(paragraph(question(1, answer(text, answer_start=0))))))
    return annotations_of(one)[0]


PAIRS = [
    (ours(marked("Anna Holt")), ours(marked("Anna Holt")), 1),
    (ours(marked("Anna Holt")), ours(marked("Holt")), 2 / 3),
    (ours(marked("Anna Holt")), ours(marked("1871")), 0),
    (ours(marked("Anna Holt")), ours(NONE), 0),
    (ours(NONE), ours(NONE), 1),
    (published("the Anna Holt"), ours(marked("Anna Holt")), 1),
    (published("the"), published("the"), 1),
    (published("the"), published("a"), 0),
    (published(""), ours(NONE), 1),
]


@pytest.mark.parametrize(("one", "other", "similarity"), PAIRS)
def test_answers_are_as_alike_as_their_words(one, other, similarity):
    assert PROTOCOL.compare("answer", one, other) == pytest.approx(similarity)
    assert PROTOCOL.compare("answer", other, one) == pytest.approx(similarity)
    assert PROTOCOL.compare("answer", one, one) == 1


def test_questions_are_compared_with_their_best_match():
    one = ours(asked(("Who built it?", "Anna Holt"), ("When?", "1871")), "questions")
    other = ours(
        asked(
            ("Who built it?", "Holt"),
        ),
        "questions",
    )
    assert PROTOCOL.compare("ask", one, one) == 1
    assert PROTOCOL.compare("ask", one, other) == PROTOCOL.compare("ask", other, one) == pytest.approx(2 / 3)
