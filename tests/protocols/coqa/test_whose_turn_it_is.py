"""Who says what next in a conversation and in the game, and how both come to an end."""

from __future__ import annotations

import pytest

from annotation.protocols.coqa import rules, schemas, talk
from annotation.values.records import Context, ItemRecord, Step, Waiting
from tests.protocols.coqa.builders import asked, ended, game, parsed, said
from tests.protocols.coqa.builders import talk as conversation

GAME = ItemRecord(
    "conversation",
    "c1",
    "dev",
    schemas.Conversation(talk="t", turns=(schemas.Turn(question="Who?", answer="Anna"),) * 2).model_dump(mode="json"),
)


def closing(turn, agreed):
    return parsed("closing", {"agreed": agreed}, turn, "answerer")


def proposing(turn):
    """An answer whose author would end after it."""
    answer = said(turn)
    return answer._replace(payload=answer.payload.model_copy(update={"may_end": True}))


def following(*entries, alone=False):
    step = talk.TALK.following(entries, alone="one" if alone else "")
    return step and (step.address, step.seat)


def turns(count):
    return conversation(turns=count).answers


def test_the_questioner_begins_and_both_take_turns():
    assert following() == ("question-1", "questioner")
    assert following(asked(1)) == ("answer-1", "answerer")
    assert following(asked(1), said(1)) == ("question-2", "questioner")


def test_alone_one_person_says_everything():
    assert following(alone=True) == ("question-1", "one")
    assert following(asked(1), alone=True) == ("answer-1", "one")
    assert following(*turns(10), ended(11), alone=True) is None


@pytest.mark.parametrize("seat", ["questioner", "answerer"])
def test_the_other_seat_waits(seat):
    for entries in ((), (asked(1),), (*turns(10), ended(11))):
        step = talk.TALK.following(entries)
        expected = step if step.seat == seat else Waiting(step)
        assert rules.next_step(Context(None, "converse", tuple(entries), seat)) == expected


def test_the_answerer_decides_about_the_wish_to_end():
    assert following(*turns(10), ended(11)) == ("closing-11", "answerer")
    assert following(*turns(10), ended(11), closing(11, agreed=True)) is None
    assert following(*turns(10), ended(11), closing(11, agreed=False)) == ("question-12", "questioner")


def test_after_a_declined_end_the_turns_are_counted_by_answers():
    entries = (*turns(10), ended(11), closing(11, agreed=False), asked(12), said(12))
    assert [turn.number for turn in talk.TALK.turns(entries)] == [*range(1, 12)]
    assert following(*entries) == ("question-13", "questioner")


def test_nobody_is_asked_to_agree_to_what_they_have_proposed():
    assert following(*turns(9), asked(10), proposing(10), ended(11)) is None
    assert following(*turns(9), asked(10), proposing(10)) == ("question-11", "questioner")
    assert following(*turns(9), asked(10), proposing(10), asked(11), said(11), ended(12)) == ("closing-12", "answerer")


def test_an_exhausted_passage_ends_the_conversation_at_once():
    assert following(*turns(5), ended(6, "exhausted", "It tells no more.")) is None


def test_a_conversation_ends_after_thirty_answers():
    assert following(*turns(29)) == ("question-30", "questioner")
    assert following(*turns(30)) is None


def test_a_turn_of_the_game_is_a_guess_and_a_verdict():
    entries = game(turns=2, verdicts={1: "match", 2: "no_match"}).answers
    by_place = sorted(entries, key=lambda one: (one.turn, one.stage))
    steps = [rules.next_step(Context(GAME, "guess", tuple(by_place[:count]))) for count in range(5)]
    assert steps == [Step("guess", 1), Step("verdict", 1), Step("guess", 2), Step("verdict", 2), None]


@pytest.mark.parametrize(
    ("answered", "reasons"), [(4, ""), (5, "exhausted"), (9, "exhausted"), (10, "done"), (29, "done")]
)
def test_when_the_questioner_may_end(answered, reasons):
    assert talk.may_end(answered) == reasons


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Yes", "yes"),
        ("yes.", "yes"),
        ("No, never", "no"),
        ("no – she was ill", "no"),
        ("No one", "answered"),
        ("No animals", "answered"),
        ("Yesterday", "answered"),
        ("nobody", "answered"),
        ("Not yes", "answered"),
    ],
)
def test_yes_and_no_are_told_by_the_words(text, kind):
    assert talk.kind_of(text) == kind
