"""Our conversations and games in the published layout; what that can't represent is left out and noted."""

import json
from dataclasses import replace

import pytest

from annotation.errors import ReleaseRefused
from annotation.protocol_tools import ScoreRequest
from annotation.protocols.coqa.scorer import SCORER
from annotation.protocols.coqa.writing import dialogues, notes
from tests.protocols.coqa.builders import (
    STORY,
    asked,
    dialogue,
    ended,
    file_of,
    game,
    parsed,
    read_release,
    record_of,
    records_of,
    said,
    talk,
    written,
)

HOLT = {"span_start": STORY.index("by Anna"), "span_end": STORY.index("by Anna") + 12, "span_text": "by Anna Holt"}


def one(record):
    """The only dialogue of a release with this record."""
    [found] = written([record])["data"]
    return found


def test_a_conversation_of_the_training_set_has_the_keys_of_the_published_ones_in_order():
    found = one(record_of(talk()))
    assert list(found) == ["source", "id", "filename", "story", "questions", "answers", "name"]
    assert (found["id"], found["source"], found["filename"]) == (f"{1:040x}", "wikipedia", "Skerrow.txt")
    assert (found["story"], found["name"]) == (STORY, "Skerrow.txt")
    assert found["questions"][1] == {"input_text": "Who built it, 2?", "turn_id": 2}
    assert json.dumps(found["answers"][1]) == json.dumps({**HOLT, "input_text": "Anna", "turn_id": 2})


def test_unknown_has_no_rationale_and_yes_has_one():
    found = one(record_of(talk(asked(11), said(11, words=""), asked(12), said(12, "yes", kind="yes"))))
    assert found["answers"][10] == {
        "span_start": -1,
        "span_end": -1,
        "span_text": "unknown",
        "input_text": "unknown",
        "turn_id": 11,
    }
    assert found["answers"][11] == {**HOLT, "input_text": "yes", "turn_id": 12}


def test_turns_are_numbered_without_gaps_where_somebody_wanted_to_end():
    closing = parsed("closing", {"agreed": False}, 11, "answerer")
    conversation = talk(ended(11), closing, asked(12, "And then?"), said(12, "Its light"), asked(13, "Unanswered?"))
    found = one(record_of(conversation, split="dev", games={0: [game(turns=11)]}))
    assert [question["turn_id"] for question in found["questions"]] == list(range(1, 12))
    assert found["questions"][10] == {"input_text": "And then?", "turn_id": 11}
    assert found["answers"][10] == {**HOLT, "input_text": "Its light", "turn_id": 11}
    assert [answer["turn_id"] for answer in found["additional_answers"]["0"]] == list(range(1, 12))


def test_games_are_additional_answers_in_order_and_the_scorer_reads_them(tmp_path):
    played = [game(text="Anna Holt"), game(text="Anna", number=101), game(text="she", number=102)]
    record = record_of(talk(), split="dev", games={0: played})
    found = one(record)
    assert list(found["additional_answers"]) == ["0", "1", "2"]
    assert found["additional_answers"]["2"][9] == {**HOLT, "input_text": "she", "turn_id": 10}
    path = tmp_path / "coqa-dev-v1.0.json"
    path.write_text(json.dumps(written([record])))
    figures = SCORER.run(ScoreRequest((path,), flags=frozenset({"human"})))
    assert figures["wikipedia"] == {"em": 50.0, "f1": 66.7, "turns": 10}
    assert figures["notes"] == []


def test_a_conversation_without_enough_turns_is_left_out():
    record = record_of(talk(turns=9), talk(number=2))
    assert [found["id"] for found in written([record])["data"]] == [f"{2:040x}"]
    assert list(notes(record)) == [
        f"Conversation {1:040x} about passage p1 is left out: it has 9 of at least 10 turns."
    ]


@pytest.mark.parametrize("games", [None, {0: []}, {0: [game(turns=9)]}, {0: [game(turns=11)]}])
def test_a_development_conversation_without_a_complete_game_is_left_out(games):
    record = record_of(talk(), split="dev", games=games)
    assert written([record])["data"] == []
    assert f"Conversation {1:040x} about passage p1 is left out: it has no additional answers." in list(notes(record))


def test_an_incomplete_game_is_left_out_among_complete_ones():
    record = record_of(talk(), split="test", games={0: [game(turns=9), game(text="Holt", number=101)]})
    found = one(record)["additional_answers"]
    assert (list(found), found["0"][0]["input_text"]) == (["0"], "Holt")
    assert list(notes(record)) == [
        f"Conversation {1:040x} about passage p1: 1 of its games left out because turns are missing."
    ]


def test_a_conversation_of_the_training_set_has_additional_answers_only_if_somebody_played():
    assert "additional_answers" not in one(record_of(talk(), games={0: []}))
    assert list(one(record_of(talk(), games={0: [game()]}))["additional_answers"]) == ["0"]


def test_several_conversations_about_a_passage_keep_their_own_games():
    record = record_of(
        talk(), talk(turns=11, number=2), split="dev", games={1: [game(turns=11, text="b")], 0: [game(text="a")]}
    )
    first, second = written([record])["data"]
    assert (first["additional_answers"]["0"][0]["input_text"], len(first["questions"])) == ("a", 10)
    assert (second["additional_answers"]["0"][0]["input_text"], len(second["questions"])) == ("b", 11)


def test_our_games_come_after_the_published_lists():
    [record] = records_of(read_release(file_of(dialogue(games=2)), name="coqa-dev-v1.0.json"))
    [child] = record.children
    more = replace(child, annotations=(*child.annotations, game(text="ours")))
    found = one(replace(record, children=(more,)))
    texts = [answers[0]["input_text"] for answers in found["additional_answers"].values()]
    assert texts == ["Anna 0", "Anna 1", "ours"]


def test_what_the_layout_can_t_say_is_noted():
    reason = "A list of names."
    alone = talk(ended(11, "exhausted", reason), activity="converse_alone")
    name = f"Conversation {1:040x} about passage p1"
    assert list(notes(record_of(alone))) == [
        f"{name} was made by one person, who asked and answered.",
        f"{name} ended because nothing was left to ask: {reason}",
    ]
    played = [
        game(verdicts={1: "match", 2: "original_wrong", 3: "no_match"}),
        game(verdicts={2: "original_wrong", 5: "question_unclear"}, number=101),
    ]
    assert list(notes(record_of(talk(), split="dev", games={0: played}))) == [
        f"{name}: 2 of 2 players found the original answer wrong in turn 2.",
        f"{name}: 1 of 2 players found the question unclear in turn 5.",
    ]


def test_verdicts_that_the_words_speak_against_are_noted_once_for_each_conversation():
    equal = game(text="Anna", verdicts={1: "match", 2: "no_match"})
    other = game(text="gulls", verdicts={4: "match", 6: "no_match"}, number=101)
    assert list(notes(record_of(talk(), split="dev", games={0: [equal, other]}))) == [
        f"Conversation {1:040x} about passage p1: in turns 2, 4 a player found a match of answers without a common "
        "word, or none of equal ones."
    ]


def test_a_conversation_that_one_person_made_outside_the_training_set_stops_the_release():
    alone = talk(activity="converse_alone")
    record = record_of(alone, split="dev", games={0: [game()]})
    with pytest.raises(ReleaseRefused, match="was made by one person, but is not of the training set"):
        written([record])
    assert len(written([record_of(alone)])["data"]) == 1


def test_a_rationale_that_does_not_match_the_text_stops_the_release():
    with pytest.raises(ReleaseRefused, match="Turn 1 of conversation"):
        written([record_of(talk(), story=STORY.replace("Anna", "Hanna"))])


def test_a_game_on_other_turns_stops_the_release():
    record = record_of(talk(), split="dev", games={0: [game()]})
    other = replace(record, annotations=(talk(turns=11),))
    with pytest.raises(ReleaseRefused, match="not the one on which its games were played"):
        written([other])


def test_there_is_no_other_layout():
    with pytest.raises(KeyError):
        next(dialogues("v2.0", []))
