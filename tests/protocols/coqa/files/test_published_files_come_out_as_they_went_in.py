"""A published file that is imported and released again has the same JSON values, field for field, in the same order."""

import json

import pytest

from annotation.errors import ImportRefused
from annotation.parsing.incoming import RefusedLine
from annotation.protocols.coqa.schemas import Conversation
from annotation.protocols.coqa.writing import notes as release_notes
from tests.protocols.coqa.builders import (
    STORY,
    answer,
    dialogue,
    file_of,
    question,
    read,
    read_release,
    records_of,
    round_trip,
    written,
)


def notes(data, **options):
    return [note for item in read_release(data, **options) for note in item.notes]


def test_a_real_dialogue_is_the_same_with_its_keys_in_order(shared):
    data = json.loads((shared / "coqa/coqa-train-1dialogue.json").read_bytes())
    assert json.dumps(round_trip(data, name="coqa-train-1dialogue.json")) == json.dumps(data)
    assert notes(data) == []


def test_a_development_file_with_a_fourth_list_is_the_same_with_its_keys_in_order(shared):
    data = json.loads((shared / "scored/coqa/gold.json").read_bytes())
    items = read_release(data, split="dev")
    assert json.dumps(written(records_of(items))) == json.dumps(data)
    assert [len(one.annotations) for one in items if one.kind == "conversation"].count(4) == 1
    assert list(release_notes(records_of(items)[0])) == []


ODD = {
    "a flagged answer": {"answers": [answer(bad_turn="true"), answer(2)]},
    "a flagged question": {"questions": [question(bad_turn="true"), question(2)]},
    "a flagged additional answer": {"additional_answers": {"0": [answer(), answer(2, bad_turn="true")]}},
    "no list of additional answers": {"additional_answers": {}},
    "four lists": {"additional_answers": {str(n): [answer(1, f"{n}"), answer(2)] for n in range(4)}},
    "eleven lists": {"additional_answers": {str(n): [answer(1, f"{n}"), answer(2)] for n in range(11)}},
    "unknown": {"answers": [answer(1, "unknown", ""), answer(2)]},
    "unknown with a rationale": {"answers": [answer(1, "unknown"), answer(2)]},
    "a rationale between blanks": {"answers": [answer(1, "yes", " by Anna Holt. "), answer(2)]},
    "a rationale elsewhere": {"answers": [answer(1, span_start=3), answer(2, span_end=10_000)]},
    "no rationale": {"answers": [answer(1, "Anna", ""), answer(2)]},
    "odd white space": {"questions": [question(1, " Who?\t"), question(2, "\u00a0")]},
    "empty texts": {"answers": [answer(1, "", span_text=""), answer(2)]},
    "unknown fields": {"answers": [answer(1, by={"a": [1, None, "é🦊"]}), answer(2)], "zip": 0.5},
    "another name": {"name": "Other.txt"},
    "a source of its own": {"source": "blogs"},
    "a story between blanks": {"story": f"\n {STORY}\r\n"},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_odd_dialogues_come_out_as_they_went_in(odd):
    data = file_of(dialogue(2), dialogue(2, id="second", **odd))
    assert round_trip(data) == data


def test_a_missing_name_stays_missing():
    bare = dialogue(2)
    del bare["name"]
    assert round_trip(file_of(bare)) == file_of(bare)


def test_what_may_surprise_is_noted_with_its_turn():
    data = file_of(
        dialogue(
            3,
            source="blogs",
            name="Other.txt",
            story=STORY + " ",
            questions=[question(1, " Who?"), question(2), question(3)],
            answers=[answer(1, span_start=3), answer(2, "Unknown"), answer(3, "", bad_turn="yes")],
            additional_answers={"0": [answer(1), answer(2), answer(3, "Anna", "")]},
        )
    ) | {"licence": "CC", "version": "2.0"}
    dialogue_notes = [
        "the official script does not know the source “blogs”; score it with --domains.",
        "its name is “Other.txt”, unlike its filename.",
        "its passage has leading or trailing white space.",
        "it has 3 turns; ours have 10 to 30.",
        "the number of its lists of additional answers is 1 instead of 3.",
        "in turn 1 the question has leading or trailing white space.",
        "in turn 1 the answer has the rationale “by Anna Holt”, which is not at 3 to 58.",
        "in turn 2 the answer is unknown, but has a rationale.",
        "in turn 3 the answer is empty.",
        "in turn 3 the answer has bad_turn “yes”.",
        "in turn 3 the additional answer 0 has no rationale.",
    ]
    assert notes(data, name="coqa-dev-v1.0.json") == [
        "The version of the file is “2.0”; a release says 1.0.",
        *(f"Passage 3zotghdk5ibi9cex97fepx7jetpso7: {note}" for note in dialogue_notes),
    ]


@pytest.mark.parametrize(
    ("games", "name", "said"),
    [
        (None, "coqa-dev-v1.0.json", ["it has no additional answers, so that the official script can’t read it."]),
        (3, "coqa-dev-v1.0.json", []),
        (3, "coqa-train-v1.0.json", ["it has additional answers, unlike the training set."]),
        (None, "coqa-train-v1.0.json", []),
    ],
)
def test_only_development_and_test_dialogues_should_have_additional_answers(games, name, said):
    found = notes(file_of(dialogue(games=games)), name=name)
    assert [note.split(": ", 1)[1] for note in found] == said


REFUSED = {
    "no questions": ({"questions": []}, "questions"),
    "an answer too few": ({"answers": [answer()]}, "answers"),
    "an answer too many": ({"answers": [answer(1), answer(2), answer(3)]}, "answers"),
    "an additional answer too few": ({"additional_answers": {"0": [answer()]}}, "additional_answers.0"),
    "a list without its number": ({"additional_answers": {"1": [answer(), answer(2)]}}, "additional_answers"),
    "a list that is none": ({"additional_answers": {"0": {}}}, "additional_answers.0"),
    "additional answers as a list": ({"additional_answers": []}, "additional_answers"),
    "a wrong turn of a question": ({"questions": [question(1), question(3)]}, "questions[1].turn_id"),
    "a wrong turn of an answer": ({"answers": [answer(2), answer(1)]}, "answers[0].turn_id"),
    "a turn as a text": ({"answers": [answer("1"), answer(2)]}, "answers[0].turn_id"),
    "a wrong turn in a game": (
        {"additional_answers": {"0": [answer(1), answer(1)]}},
        "additional_answers.0[1].turn_id",
    ),
    "no text": ({"answers": [answer(1, None), answer(2)]}, "answers[0].input_text"),
    "half an offset": ({"answers": [answer(span_end=4.5), answer(2)]}, "answers[0].span_end"),
    "a story that is no text": ({"story": ["x"]}, "story"),
    "no source": ({"source": None}, "source"),
    "an empty id": ({"id": ""}, "id"),
    "an id that is too long": ({"id": "x" * 151}, "id"),
}


@pytest.mark.parametrize(("odd", "field"), REFUSED.values(), ids=REFUSED.keys())
def test_a_broken_structure_is_refused_with_the_name_of_the_field(odd, field):
    first, second = read_release(file_of(dialogue(2), dialogue(2, **odd)))
    assert first.kind == "passage"
    assert isinstance(second, RefusedLine)
    assert (second.line, second.field) == (2, field)


def test_a_published_file_needs_a_known_split_and_a_passage():
    with pytest.raises(ImportRefused, match="does not say which split"):
        read_release(file_of(dialogue()), name="mine.json")
    assert read_release(file_of(dialogue()), name="mine.json", split="dev")[0].split == "dev"
    with pytest.raises(ImportRefused, match="has no passage"):
        read_release(file_of())
    with pytest.raises(ImportRefused, match="import_items"):
        read_release([dialogue()], name="coqa-dev.jsonl")


def test_the_game_is_played_on_the_texts_of_the_conversation_without_its_rationales():
    _passage, conversation = read_release(file_of(dialogue(2, games=1)))
    assert conversation.parent == ("passage", "3zotghdk5ibi9cex97fepx7jetpso7")
    found = Conversation.from_stored(conversation.payload)
    assert (found.talk, found.turns[1].answer) == ("3zotghdk5ibi9cex97fepx7jetpso7", "Anna")
    assert "Holt" not in json.dumps(conversation.payload)


def test_an_unpublished_import_brings_the_passages_only():
    [item] = read(file_of(dialogue(2, games=3, licence="CC BY")), name="coqa-dev-v1.0.json")
    assert (item.kind, item.split, item.annotations) == ("passage", "dev", ())
    assert item.payload == {
        "source": "wikipedia",
        "filename": "Skerrow.txt",
        "name": "Skerrow.txt",
        "fields": {"licence": "CC BY"},
    }
    assert item.documents[0].source.decode() == STORY
