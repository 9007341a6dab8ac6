"""What is judged of SQuAD: marked words in their paragraph, never the answer that there is none."""

import pytest

from annotation.protocols.squad.exhibits import exhibits_of
from annotation.values.records import AnnotationRecord
from tests.protocols.records import item_of
from tests.protocols.squad.builders import (
    CONTEXT,
    annotations_of,
    answer,
    article,
    file_v2,
    paragraph,
    parsed,
    question,
    read_release,
)


def asked(*answers, **fields):
    """A published question as an item, and its annotations."""
    found, about = read_release(file_v2(article(paragraph(question(1, *answers, **fields)))))
    return item_of(about, item_of(found)), annotations_of(about)


def ours(payload):
    return AnnotationRecord("answer", (parsed("answer", payload),))


def marked(shown):
    return [piece.text for text in shown.texts for piece in text.pieces if piece.marked]


def test_the_marked_words_are_shown_in_their_paragraph_and_beside_it():
    item, _ = asked()
    start = CONTEXT.index("1871")
    span = {"passage": 0, "start": start, "end": start + 4, "quote": "1871"}
    [(turn, shown)] = exhibits_of("answers", item, ours({"kind": "span", "span": span}))
    assert (turn, shown.prompt, shown.answers) == (0, "Who built lighthouse number 1?", ("1871",))
    assert [(text.title, text.text) for text in shown.texts] == [("Skerrow lighthouse", CONTEXT)]
    assert marked(shown) == ["1871"]


def test_each_published_answer_is_one():
    item, given = asked(answer(), answer("by Anna Holt"))
    found = [shown for one in given for _turn, shown in exhibits_of("answers", item, one)]
    assert [marked(shown) for shown in found] == [["Anna Holt"], ["by Anna Holt"]]


@pytest.mark.parametrize("start", [-1, 3, 4000])
def test_a_published_answer_at_a_wrong_place_is_told_in_words_only(start):
    item, [given] = asked(answer(answer_start=start))
    [(_turn, shown)] = exhibits_of("answers", item, given)
    assert (shown.answers, marked(shown)) == (("Anna Holt",), [])


def test_that_there_is_no_answer_is_not_judged():
    item, published = asked(impossible=True)
    for one in (*published, ours({"kind": "unanswerable"}), AnnotationRecord("answer", ())):
        assert list(exhibits_of("answers", item, one)) == []
