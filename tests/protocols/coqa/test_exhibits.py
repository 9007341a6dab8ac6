"""What is judged of CoQA: questions with the turns before them, and answers that are no words of the passage."""

import pytest

from annotation.protocols.coqa.exhibits import KINDS, exhibits_of
from annotation.values.records import AnnotationRecord
from tests.protocols.coqa.builders import STORY, answer, dialogue, file_of, imported, read_release
from tests.protocols.records import item_of


def talk(*answers):
    """A passage, and a published conversation about it with these answers."""
    found = read_release(file_of(dialogue(len(answers), answers=list(answers))))
    return item_of(found[0]), imported(found[0].annotations[0])


def turns(kind, *answers):
    return [turn for turn, _shown in exhibits_of(kind, *talk(*answers))]


def marked(shown):
    return [piece.text for text in shown.texts for piece in text.pieces if piece.marked]


def test_a_question_is_shown_with_passage_earlier_turns_answer_and_rationale():
    item, said = talk(answer(1), answer(2, "In 1871", "1871"), answer(3, "yes", "seen from 19 miles"))
    found = list(exhibits_of("questions", item, said))
    assert [turn for turn, _shown in found] == [1, 2, 3]
    first, *_, last = [shown for _turn, shown in found]
    assert (first.before, [text.text for text in first.texts]) == ((), [STORY])
    assert [(one.asked, one.answered) for one in last.before] == [
        ("Who built it, the 1th time?", "Anna"),
        ("Who built it, the 2th time?", "In 1871"),
    ]
    assert (last.prompt, last.answers) == ("Who built it, the 3th time?", ("yes",))
    assert marked(last) == ["seen from 19 miles"]
    assert last.details[0].texts == ("seen from 19 miles",)


def test_an_unknown_answer_is_asked_for_its_history_only():
    said = (answer(1), answer(2, "unknown", ""), answer(3))
    assert turns("questions", *said) == [1, 3]
    assert turns("history", *said) == [1, 2, 3]
    [_, (_turn, shown), (_turn, after)] = exhibits_of("history", *talk(*said))
    assert (shown.answers, shown.details, marked(shown)) == (("unknown",), (), [])
    assert [one.answered for one in after.before] == ["Anna", "unknown"]


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("Anna Holt", False),
        ("anna holt.", False),
        ("built in 1871", False),
        ("Holt Anna", True),
        ("Ann", True),  # a part of a word is none
        ("Two", True),
        ("Yes", True),
        ("No, by Anna", True),
        ("unknown", False),
        ("?", False),
    ],
)
def test_free_answers_are_those_whose_words_do_not_follow_each_other_in_the_passage(text, free):
    assert turns("free_answers", answer(1, text)) == ([1] if free else [])


def test_of_several_turns_only_the_free_ones_are_judged_with_all_turns_before():
    found = list(exhibits_of("free_answers", *talk(answer(1), answer(2, "Yes"), answer(3), answer(4, "Two"))))
    assert [(turn, len(shown.before)) for turn, shown in found] == [(2, 1), (4, 3)]


@pytest.mark.parametrize("place", [(-1, -1), (5, 5), (90, 4000)])
def test_a_published_rationale_that_is_not_there_supports_nothing(place):
    start, end = place
    assert turns("questions", answer(1, span_start=start, span_end=end)) == []


def test_a_conversation_without_turns_gives_nothing():
    item, _ = talk(answer(1))
    for kind in KINDS:
        assert list(exhibits_of(kind.key, item, AnnotationRecord("converse", ()))) == []
