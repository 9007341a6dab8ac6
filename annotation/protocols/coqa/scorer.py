"""The scorer behind `manage.py score coqa`: what evaluate-v1.0.py prints for files, of predictions or of people."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.errors import ScoreRefused
from annotation.i18n import _
from annotation.parsing.scored_files import read_json
from annotation.protocol_tools import Scorer, ScoreRequest
from annotation.protocols.coqa import scoring
from annotation.protocols.coqa.scoring import DOMAINS, Key, Turn
from annotation.values.predictions import PredictionLayout, ReadPrediction

MOST_TURNS = 1000
"""Turns of a dialogue in a file of predictions that is kept, at most."""


def score(request: ScoreRequest) -> dict[str, Any]:
    """Predictions against gold, or with the flag `human` each answer in gold against the others.

    `notes` are the script's warnings. The option `domains` (`blogs=reddit,recipes=science`) says as which of the
    official sources other ones count, since the script knows only those.
    """
    people = "human" in request.flags
    if people == (request.predictions is not None):
        raise ScoreRefused("Give either a file of predictions or --human.")
    notes: list[str] = []
    gold: dict[Key, Turn] = {}
    domains = _domains(request.options.get("domains"))
    for path in request.gold:
        _read_gold(path, domains, gold, notes)
    if request.predictions is not None:
        predicted = _read_predictions(request.predictions)
        scores = scoring.model(gold, predicted)
        notes += [f"No prediction for turn {turn} of {name}." for name, turn in gold if (name, turn) not in predicted]
    else:
        try:
            scores = scoring.human(gold)
        except ValueError as error:
            raise ScoreRefused(str(error)) from None
    return scoring.printed(gold, scores) | {"notes": notes}


def _domains(given: str | None) -> dict[str, str]:
    """Source -> the official source that it counts as."""
    found = {source: source for source in DOMAINS}
    for part in given.split(",") if given else ():
        own, equals, official = part.partition("=")
        if not own or not equals or official not in DOMAINS:
            raise ScoreRefused(
                f"--domains is a list such as blogs=reddit,recipes=science, with one of {', '.join(DOMAINS)} on the "
                f"right, not {part}."
            )
        found[own] = official
    return found


def _read_gold(path: Path, domains: Mapping[str, str], gold: dict[Key, Turn], notes: list[str]) -> None:
    """Add the turns of a file to `gold`, and the script's warnings about them to `notes`.

    Like the script: lists are aligned by place, turns are named by their question's turn_id, and a repeated turn counts
    once, with its last answers.
    """
    whole = read_json(path)
    try:
        for dialogue in whole["data"]:
            _read_dialogue(path, dialogue, domains, gold, notes)
    except (KeyError, TypeError, AttributeError, IndexError):
        raise ScoreRefused(
            f"{path.name} is not in the CoQA layout with additional answers for every turn (dev or test)."
        ) from None


def _read_dialogue(
    path: Path, dialogue: dict[str, Any], domains: Mapping[str, str], gold: dict[Key, Turn], notes: list[str]
) -> None:
    name, source = dialogue["id"] + "", dialogue["source"] + ""
    if source not in domains:
        raise ScoreRefused(
            f"{path.name}: the official script does not know the source {source} of dialogue {name}. Use --domains to "
            f"say which of {', '.join(DOMAINS)} it counts as."
        )
    lists = [dialogue["answers"], *dialogue["additional_answers"].values()]
    for place, question in enumerate(dialogue["questions"]):
        turn = question["turn_id"]
        answers = [one[place] for one in lists]
        if turn != place + 1:
            notes.append(f"Question {place + 1} of {name} has the turn_id {turn}.")
        notes += [
            f"An answer to turn {turn} of {name} has the turn_id {one['turn_id']}."
            for one in answers
            if one["turn_id"] != turn
        ]
        if (name, turn) in gold:
            notes.append(f"Turn {turn} of {name} comes twice.")
        gold[name, turn] = Turn(domains[source], tuple(one["input_text"] + "" for one in answers))


def _read_predictions(path: Path) -> dict[Key, str]:
    """(dialogue, turn) -> the predicted answer; of repeated rows the last counts."""
    rows = read_json(path)
    try:
        if isinstance(rows, list):
            return {(row["id"], row["turn_id"]): row["answer"] + "" for row in rows}
    except (KeyError, TypeError):
        pass
    raise ScoreRefused(f"{path.name} is not a JSON list of objects with id, turn_id and answer, a text.")


SCORER = Scorer(
    run=score,
    flags={"human": _("score each answer in the gold file against the others")},
    options={"domains": _("as which official source others count, such as blogs=reddit,recipes=science")},
)


def _read_layout(path: Path) -> list[ReadPrediction]:
    """One answer to each turn of a dialogue, by its turn_id."""
    return [_one(path, name, turn, answer) for (name, turn), answer in _read_predictions(path).items()]


def _one(path: Path, name: object, turn: object, answer: str) -> ReadPrediction:
    if not isinstance(name, str):
        raise ScoreRefused(f"{path.name}: each id is a text, not {name}.")
    if type(turn) is not int or not 1 <= turn <= MOST_TURNS:
        raise ScoreRefused(f"{path.name}: the turn_id {turn} of {name} is not a number from 1 to {MOST_TURNS:,}.")
    return ReadPrediction(name, turn, {"answer": answer, "turn": turn})


PREDICTIONS = PredictionLayout(
    "coqa", _("CoQA predictions"), _("A JSON list of objects with id, turn_id and answer."), _read_layout
)
