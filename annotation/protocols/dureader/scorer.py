"""The scorer behind `manage.py score dureader`: the adapted metrics, plain ones, and the repository's five tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.errors import ScoreRefused
from annotation.i18n import _
from annotation.parsing.scored_files import read_rows
from annotation.protocol_tools import Scorer, ScoreRequest
from annotation.protocols.dureader import adapted_metric, repository_metric
from annotation.protocols.dureader.adapted_metric import JudgedAnswers, Weights, judged_answers
from annotation.protocols.dureader.schemas import TYPES
from annotation.values.predictions import PredictionLayout, ReadPrediction

LEVELS = ("char", "word")
REPOSITORY_FIELDS = ("source", "yesno_answers", "entity_answers")
OTHER_LAYOUT = (
    "The repository’s tasks are left out: each row of its references has source, yesno_answers and a list in "
    "entity_answers, and no release has all of them."
)


def score(request: ScoreRequest) -> dict[str, Any]:
    """ROUGE-L and BLEU-4, adapted and plain, in percent with two decimals, together and by type of question.

    With reference rows in the layout of the repository's script, what it prints for each of its tasks, too.
    """
    if request.predictions is None:
        raise ScoreRefused("Give a file of predictions.")
    level = request.options.get("level", "char")
    if level not in LEVELS:
        raise ScoreRefused(f"--level is char or word, not {level}.")
    weights = Weights(**{name: _number(request.options[name], name) for name in WEIGHTS if name in request.options})
    references = _by_question(request.gold)
    predictions = _by_question([request.predictions])
    judged = [
        one
        for key, row in references.items()
        if (one := judged_answers(row, predictions.get(key), by_words=level == "word")) is not None
    ]
    if not judged:
        raise ScoreRefused("No question has a reference answer.")
    plain = Weights(alpha=0.0, beta=0.0, gamma=weights.gamma)
    found: dict[str, Any] = {"adapted": _by_type(judged, weights), "plain": _by_type(judged, plain)}
    if not all(_is_for_repository(row) for row in references.values()):
        return found | {"notes": [OTHER_LAYOUT]}
    tasks = {task: repository_metric.score(task, references, predictions) for task in repository_metric.TASKS}
    return found | {"repository": tasks}


WEIGHTS = ("alpha", "beta", "gamma")


def _number(text: str, name: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found < float("inf"):
        raise ScoreRefused(f"--{name} is a number from 0, not {text}.")
    return found


def _by_type(judged: Sequence[JudgedAnswers], weights: Weights) -> dict[str, dict[str, float]]:
    groups = {"all": judged} | {each: [row for row in judged if row.question_type == each] for each in TYPES}
    return {name: adapted_metric.figures(rows, weights) for name, rows in groups.items() if rows}


def _by_question(paths: Iterable[Path]) -> dict[Any, dict[str, Any]]:
    """Rows by their question_id; ScoreRefused for one that is no row, or that is there twice."""
    found: dict[Any, dict[str, Any]] = {}
    for path in paths:
        for number, row in enumerate(read_rows(path), 1):
            where = f"{path.name}, row {number:,}"
            if not isinstance(row, dict) or not isinstance(row.get("question_id"), int | str):
                raise ScoreRefused(f"{where}: there is no question_id.")
            if row["question_id"] in found:
                raise ScoreRefused(f"{where}: question {row['question_id']} is there twice.")
            found[row["question_id"]] = _checked(row, where)
    return found


def _checked(row: dict[str, Any], where: str) -> dict[str, Any]:
    """The row; ScoreRefused for answers that are no texts, or opinions that are not parallel to them."""
    if row.get("question_type", TYPES[0]) not in TYPES:
        raise ScoreRefused(f"{where}: question_type is one of {', '.join(TYPES)}.")
    answers, opinions = row.get("answers", []), row.get("yesno_answers", [])
    if not _are_texts(answers) or not _are_texts(opinions):
        raise ScoreRefused(f"{where}: answers and yesno_answers are lists of texts.")
    if opinions and len(opinions) != len(answers):
        raise ScoreRefused(f"{where}: yesno_answers has another length than answers.")
    lists = row.get("entity_answers", [])
    if not isinstance(lists, list) or not all(map(_are_texts, lists)):
        raise ScoreRefused(f"{where}: entity_answers is a list of lists of texts.")
    return row


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_for_repository(row: Mapping[str, Any]) -> bool:
    return all(name in row for name in REPOSITORY_FIELDS) and len(row["entity_answers"]) > 0


SCORER = Scorer(
    run=score,
    options={
        "alpha": _("the weight of a right opinion (2.0 by default, as in the paper; 1 in the organisers’ package)"),
        "beta": _("the weight of right entities (1.0 by default)"),
        "gamma": _("the weight of recall (1.2 by default)"),
        "level": _(
            "char (the default) or word: tokens are parted by white space, or are segmented_answers of the file"
        ),
    },
)


def _read_layout(path: Path) -> list[ReadPrediction]:
    """Each answer of each row by its place from 0, with its opinion, and its entities if they are parallel to them."""
    return [one for name, row in _by_question([path]).items() for one in _answers(str(name), row)]


def _answers(name: str, row: Mapping[str, Any]) -> Iterator[ReadPrediction]:
    answers, opinions, entities = (row.get(key) or () for key in ("answers", "yesno_answers", "entity_answers"))
    for place, text in enumerate(answers):
        payload: dict[str, Any] = {"answer": text}
        if opinions:
            payload["opinion"] = opinions[place]
        if len(entities) == len(answers):
            payload["entities"] = entities[place]
        yield ReadPrediction(name, place, payload)


PREDICTIONS = PredictionLayout(
    "dureader",
    _("Rows with candidate answers"),
    _("Lines of JSON with question_id, question_type and answers, and maybe entity_answers and yesno_answers."),
    _read_layout,
    for_all=True,
)
