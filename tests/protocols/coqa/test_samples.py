"""The sample passages can be imported and talked about from the first question to the last guess, as the demo does."""

from __future__ import annotations

import json
from random import Random

import pytest

from annotation.documents.words import boundaries
from annotation.parsing.incoming import IncomingItem
from annotation.parsing.sources import FileSource
from annotation.protocols.coqa import demo, reading, rules, schemas, sheets, statistics, story
from annotation.protocols.coqa.schemas import FEWEST_TURNS, MOST_TURNS
from annotation.protocols.coqa.scoring import DOMAINS
from annotation.protocols.coqa.talk import TALK
from annotation.statistics.clustered_means import plain_values
from annotation.values.records import AnnotationRecord, Context, GivenAnswer, ReleaseRecord, Waiting
from tests.protocols.coqa.builders import OURS
from tests.protocols.records import item_of

READ = list(reading.read(FileSource(demo.PASSAGES)))
TALKED = [one for one in READ if one.external_id in json.loads(demo.KNOWN.read_bytes())]
COUPLE = ("questioner", "answerer")


def play(item, activity, seats, say):
    """What is said in one piece of work; every answer passes schema and check. `say`: from a sheet to a payload."""
    said = ()
    for _ in range(4 * MOST_TURNS):
        contexts = [Context(item, activity, said, seat) for seat in seats]
        steps = [rules.next_step(context) for context in contexts]
        if None in steps:
            assert steps == [None] * len(seats)
            return said
        [(context, step)] = [(c, s) for c, s in zip(contexts, steps, strict=True) if not isinstance(s, Waiting)]
        payload = say(sheets.sheet(context, step))
        answer = OURS[step.stage].validate_json(json.dumps(payload))
        assert rules.check(context, step, answer) == []
        said += (GivenAnswer(step.stage, answer, f"coqa.{step.stage}/1", step.turn, step.seat),)
    raise AssertionError("the work does not come to an end")


def by_bots(seed):
    rng = Random(seed)
    return lambda sheet: demo.pretend(sheet, rng)


def as_known(sheet, says=None):
    return demo.answer_sample(sheet, "an item", says)


def conversation_about(incoming):
    """The known conversation as an item of the game."""
    said = play(item_of(incoming), "converse", COUPLE, as_known)
    [made] = rules.follow_ups(item_of(incoming), AnnotationRecord("converse", said, id_hex="1" * 40))
    return item_of(made, item_of(incoming))


def test_there_are_passages_of_all_domains_and_splits_each_about_as_long_as_published_ones():
    assert all(isinstance(one, IncomingItem) and one.notes == () for one in READ)
    assert {one.payload["source"] for one in READ} == set(DOMAINS)
    assert {one.split for one in READ} == {"train", "dev", "test"}
    long = [150 <= len(one.documents[0].source.split()) <= 250 for one in READ]
    assert (len(long), long.count(False)) == (14, 1)  # in the short one, there is soon nothing left to ask


@pytest.mark.parametrize("incoming", READ, ids=lambda one: one.external_id)
@pytest.mark.parametrize(("activity", "seats"), [("converse", COUPLE), ("converse_alone", ("one",))])
def test_bots_talk_about_it_and_play_what_was_said(incoming, activity, seats):
    passage, games = item_of(incoming), 0
    for seed in range(2):
        said = play(passage, activity, seats, by_bots(seed))
        record = AnnotationRecord(activity, said, id_hex=f"{seed:040x}")
        made = rules.follow_ups(passage, record)
        assert len(made) == (len(TALK.turns(said)) >= FEWEST_TURNS)
        for conversation in made:
            turns = schemas.Conversation.from_stored(item_of(conversation).payload).turns
            assert [(turn.question, turn.answer) for turn in turns] == [
                tuple(line.text for line in turn.lines) for turn in TALK.turns(said)
            ]
            played = play(item_of(conversation, passage), "guess", ("one",), by_bots(seed))
            assert len(played) == 2 * len(turns)
            games += 1
    assert games


@pytest.mark.parametrize("incoming", TALKED, ids=lambda one: one.external_id)
def test_what_is_known_to_be_said_is_a_conversation_from_the_first_question_to_the_end(incoming):
    text = item_of(incoming).documents[0].text
    known = demo.known_of(text)
    for question, words, answer in known.turns:
        assert question.endswith("?")
        assert (words is None) == (answer == "unknown")
        if words is not None:
            start = text.index(words)
            assert not boundaries(text).cuts_token(start)
            assert not boundaries(text).cuts_token(start + len(words))
    if known.exhausted or len(known.turns) >= FEWEST_TURNS:
        said = play(item_of(incoming), "converse", COUPLE, as_known)
        assert [tuple(line.text for line in turn.lines) for turn in TALK.turns(said)] == [
            (one[0], one[2]) for one in known.turns
        ]


def test_known_players_answer_every_question_and_not_always_like_the_original():
    games = 0
    for incoming in TALKED:
        for player, guesses in enumerate(demo.known_of(item_of(incoming).documents[0].text).guesses):
            conversation = conversation_about(incoming)
            said = play(conversation, "guess", ("one",), lambda sheet, player=player: as_known(sheet, player))
            verdicts = [one.payload.verdict for one in said if one.stage == "verdict"]
            assert len(verdicts) == len(schemas.Conversation.from_stored(conversation.payload).turns)
            assert 0 < len(guesses) < len(verdicts)
            assert verdicts.count("match") >= len(verdicts) / 2
            games += 1
    assert games >= 2 * 3


def test_the_finished_conversations_have_figures_like_the_published_ones():
    finished = [one for one in TALKED if len(demo.known_of(item_of(one).documents[0].text).turns) > FEWEST_TURNS]
    records = [
        ReleaseRecord(
            item_of(one),
            (AnnotationRecord("converse", play(item_of(one), "converse", COUPLE, as_known), id_hex=f"{n:040x}"),),
        )
        for n, one in enumerate(finished)
    ]
    found = plain_values(statistics.figures(records))
    for name, by in {"turns_per_conversation": 1.5, "words_per_question": 0.5, "words_per_answer": 0.3}.items():
        assert found[name] == pytest.approx(statistics.PUBLISHED[name], abs=by)
    for name in ("answers_edited", "unknown", "yes", "no", "question_shares_word", "answer_found"):
        assert found[name] == pytest.approx(statistics.PUBLISHED[name], abs=0.06), name


def test_the_story_names_only_passages_and_first_questions_that_exist():
    titles = {one.documents[0].title for one in READ}
    asked = {demo.known_of(item_of(one).documents[0].text).turns[0][0] for one in TALKED}
    assert len(titles) == len(READ)
    assert len(asked) == len(TALKED)
    assert {scene.item for scene in story.STORY if scene.item} <= titles | asked


def test_nothing_is_made_up_about_other_texts_and_stages():
    with pytest.raises(LookupError):
        demo.known_of("A text of nobody.")
    with pytest.raises(TypeError):
        as_known(object())
