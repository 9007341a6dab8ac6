"""`check_protocol` finds nothing wrong with our protocols, and names the cause of each fault that is planted in one."""

from __future__ import annotations

import dataclasses
import itertools
from io import StringIO
from pathlib import Path

import orjson
import pytest
from django.core.management import CommandError, call_command

from annotation import registry
from annotation.checking import findings, played
from annotation.checking.findings import ProtocolCheck
from annotation.protocol_tools import Bots
from annotation.values.records import Waiting
from tests.protocols.examples import EXAMPLES

OURS = ("coqa", "dureader", "nq", "qasper", "squad")
DUREADER = registry.get("dureader")
FOLDER = EXAMPLES / "dureader" / "examples"
WORDS = orjson.loads((FOLDER / "sentinels.json").read_bytes())

MANY = 20
"""So many answers are taken to have no end here: each is checked against all before it."""


@pytest.mark.parametrize("key", OURS)
def test_nothing_is_wrong_with_ours(key):
    out = StringIO()
    call_command("check_protocol", key, "--examples", str(EXAMPLES / key / "examples"), stdout=out)
    assert "nothing found" in out.getvalue()


def changed(**methods):
    """DuReader with other methods or fields."""
    return type("Changed", (type(DUREADER),), methods)()


def found(protocol, items=FOLDER / "items.jsonl", words=WORDS, other: Path | None = FOLDER / "other.jsonl"):
    return ProtocolCheck(protocol, items, words, other).findings()


def leaky_sheet(self, context, step):
    sheet = type(DUREADER).sheet(context, step)
    return dataclasses.replace(sheet, prompt=f"{sheet.prompt} {context.item.documents[0].source.decode()}")


def test_a_sheet_that_shows_too_much_is_named_with_its_field():
    causes = found(changed(sheet=leaky_sheet))
    assert "compose, kind: the sheet of kind shows Zq7brass6e82 (the first document) in its field prompt." in causes
    assert "compose: its first sheet tells the two worlds apart in its field prompt." in causes


def test_what_somebody_has_said_may_be_shown():
    def sheet(self, context, step):
        shown = type(DUREADER).sheet(context, step)
        return dataclasses.replace(shown, prompt=f"{shown.prompt} {[one.payload for one in context.answers]}")

    assert found(changed(sheet=sheet)) == []


COUNTED = itertools.count()
FAULTS = {
    "a sheet that changes": (
        {"sheet": lambda self, *at: dataclasses.replace(type(DUREADER).sheet(*at), lang=str(next(COUNTED)))},
        "compose, kind: sheet is another each time it is called. Seed what is random with context.seed.",
    ),
    "work without an end": (
        {"next_step": lambda self, context: type(DUREADER).next_step(dataclasses.replace(context, answers=()))},
        f"compose: after {MANY} answers the work has not ended. Does next_step count them?",
    ),
    "work that nobody can go on with": (
        {"next_step": lambda self, context: Waiting(type(DUREADER).next_step(context))},
        "compose: one wait, but nobody has a step: next_step never goes on from here.",
    ),
    "work that has ended before it began": (
        {"next_step": lambda self, context: None},
        "compose: there is nothing to answer about 417.",
    ),
    "a similarity below one": (
        {"compare": lambda self, activity, a, b: 0.5},
        "compose: compare of an annotation with itself is 0.5, not 1.",
    ),
    "a grade that keeps points back": (
        {"grade": lambda self, *of: ()},
        "compose: grade of an annotation against itself does not give every point.",
    ),
    "work that counts at one time and not at another": (
        {"needs_acceptance": lambda self, item, annotation, config: next(COUNTED) % 2 == 0},
        "compose: needs_acceptance says neither True nor False of finished work, or not each time the same.",
    ),
    "work of which it is not said whether it counts": (
        {"is_enough": lambda self, item, annotation, config: config},
        "compose: is_enough says neither True nor False of finished work, or not each time the same.",
    ),
    "a release that changes": (
        {"write": lambda self, format, records: iter([next(COUNTED)])},
        "The format v2.0 writes another record each time.",
    ),
    "a release that is no JSON": (
        {"write": lambda self, format, records: iter([{1j}])},
        "The format v2.0 writes what is no JSON: Type is not JSON serializable: set.",
    ),
    "no guidelines": (
        {"guideline": lambda self: " "},
        "guideline() is empty: a new project would begin without guidelines.",
    ),
    "no bots": (
        {"bots": None},
        "The protocol has no bots, so nothing else can be checked: see Bots in docs/protocols.md.",
    ),
    "a bot that does not know the sheet": (
        {"bots": Bots(registry.get("squad").bots.pretend)},
        "compose: kind: the bot has no answer to a QuestionSheet (SQuAD has no stage with a QuestionSheet.).",
    ),
}


@pytest.mark.parametrize(("methods", "cause"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_named(methods, cause, monkeypatch):
    monkeypatch.setattr(played, "MOST_STEPS", MANY)
    monkeypatch.setattr(findings, "PIECES", 2)
    assert cause in found(changed(**methods))


def test_what_a_bot_says_has_to_pass_form_schema_and_check():
    def wrong(sheet, rng):
        payload = DUREADER.bots.pretend(sheet, rng)
        return payload | {"used": [7]} if "used" in payload else payload

    causes = found(changed(bots=Bots(wrong)))
    assert any(cause.startswith("compose, answers: the form refuses what the bot says: * used") for cause in causes)
    assert any(cause.startswith("compose: ValidationError was raised: 1 validation error") for cause in causes)


def test_check_is_asked(monkeypatch):
    def unused(sheet, rng):
        payload = DUREADER.bots.pretend(sheet, rng)
        return payload | {"used": []} if payload.get("answers") else payload

    assert "compose, answers: check refuses what the bot says: used (none)." in found(changed(bots=Bots(unused)))


def test_refused_lines_and_missing_items_are_named(tmp_path):
    file = tmp_path / "items.jsonl"
    file.write_text('{"question_id": 1}\n')
    assert found(DUREADER, file, {}, None) == [
        "items.jsonl, line 1: question is refused: The field is missing.",
        "compose: items.jsonl has no question, and no work before it makes one.",
    ]


def test_the_command_fails_with_the_number_of_causes(tmp_path):
    (tmp_path / "items.jsonl").write_text("{}\n")
    out = StringIO()
    with pytest.raises(CommandError, match="2 causes were found in dureader"):
        call_command("check_protocol", "dureader", "--examples", str(tmp_path), stdout=out)
    assert out.getvalue().startswith("- items.jsonl, line 1: question_id is refused")
    with pytest.raises(CommandError, match="There is no items"):
        call_command("check_protocol", "dureader", "--examples", str(tmp_path / "none"))


def test_a_screen_without_the_styles_of_those_that_it_gives_way_to_is_named(tmp_path, settings, monkeypatch):
    monkeypatch.setattr(findings, "PIECES", 2)
    waiting = tmp_path / "coqa" / "waiting.html"
    waiting.parent.mkdir()
    waiting.write_text('{% extends "work/layouts/waiting.html" %}')
    settings.TEMPLATES = [settings.TEMPLATES[0] | {"DIRS": [tmp_path]}]
    causes = ProtocolCheck(registry.get("coqa"), EXAMPLES / "coqa" / "examples" / "items.jsonl").findings()
    assert causes == [
        "converse: coqa/waiting.html does not link coqa/coqa.css, as other screens of the activity do: they take its "
        "place in the same page, and would be without that."
    ]


def test_a_missing_page_for_whoever_waits_is_named():
    class Renamed(type(registry.get("toy"))):
        key = "nowhere"

    causes = ProtocolCheck(Renamed(), EXAMPLES / "toy" / "examples" / "items.jsonl").findings()
    assert "talk: there is no template nowhere/waiting.html." in causes
    assert "review: there is no template nowhere/judge_read.html." in causes
    assert not any("review" in cause and "waiting.html" in cause for cause in causes)
