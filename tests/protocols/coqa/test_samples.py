"""The sample passages can be imported and talked about from the first question to the last guess."""

from __future__ import annotations

import json
from random import Random

import pytest

from annotation.parsing.incoming import IncomingItem
from annotation.parsing.sources import FileSource
from annotation.protocols.coqa import demo, reading, rules, schemas, sheets
from annotation.protocols.coqa.schemas import FEWEST_TURNS, MOST_TURNS
from annotation.protocols.coqa.scoring import DOMAINS
from annotation.protocols.coqa.talk import shown
from annotation.records import AnnotationRecord, Context, Said, Waiting
from tests.protocols.coqa.builders import OURS
from tests.protocols.records import item_of

READ = list(reading.read(FileSource(demo.PASSAGES)))


def play(item, activity, seats, rng):
    """What bots say in one piece of work; every answer passes schema and check."""
    said = ()
    for _ in range(4 * MOST_TURNS):
        contexts = [Context(item, activity, said, seat) for seat in seats]
        steps = [rules.next_step(context) for context in contexts]
        if None in steps:
            assert steps == [None] * len(seats)
            return said
        [(context, step)] = [(c, s) for c, s in zip(contexts, steps, strict=True) if not isinstance(s, Waiting)]
        payload = demo.pretend(sheets.sheet(context, step), rng)
        answer = OURS[step.stage].validate_json(json.dumps(payload))
        assert rules.check(context, step, answer) == []
        said += (Said(step.stage, answer, f"coqa.{step.stage}/1", step.turn, step.seat),)
    raise AssertionError("the work does not come to an end")


def test_there_is_a_passage_of_six_domains_each_about_as_long_as_published_ones():
    assert all(isinstance(one, IncomingItem) and one.notes == () for one in READ)
    assert {one.payload["source"] for one in READ} == set(DOMAINS) - {"science"}
    assert all(150 <= len(one.documents[0].source.split()) <= 250 for one in READ)


@pytest.mark.parametrize("incoming", READ, ids=lambda one: one.external_id)
@pytest.mark.parametrize(
    ("activity", "seats"), [("converse", ("questioner", "answerer")), ("converse_alone", ("one",))]
)
def test_bots_talk_about_it_and_play_what_was_said(incoming, activity, seats):
    passage, games = item_of(incoming), 0
    for seed in range(6):
        said = play(passage, activity, seats, Random(seed))
        record = AnnotationRecord(activity, said, id_hex=f"{seed:040x}")
        made = rules.follow_ups(passage, record)
        assert len(made) == (len(shown(said)) >= FEWEST_TURNS)
        for conversation in made:
            turns = schemas.conversation_of(item_of(conversation).payload).turns
            assert [(turn.question, turn.answer) for turn in turns] == [
                (turn.question, turn.answer) for turn in shown(said)
            ]
            played = play(item_of(conversation, passage), "guess", ("one",), Random(seed))
            assert len(played) == 2 * len(turns)
            games += 1
    assert games
