"""Agreement of two annotations, and the metric of the official evaluator of CoQA (evaluate-v1.0.py).

The script normalises texts as SQuAD does, and compares them by exact match (EM) and token F1. Two texts without tokens
are equal. Figures are means over turns, in percent, rounded to one decimal place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from annotation.protocols.coqa.talk import exchanges, guesses, released_text
from annotation.statistics.token_f1 import exact, f1_or_none, f1_points, tokens
from annotation.values.records import AnnotationRecord

DOMAINS = {
    "mctest": "children_stories",
    "gutenberg": "literature",
    "race": "mid-high_school",
    "cnn": "news",
    "wikipedia": "wikipedia",
    "reddit": "reddit",
    "science": "science",
}
"""The script's name of each source, in its order."""
IN_DOMAIN = ("mctest", "gutenberg", "race", "cnn", "wikipedia")
OUT_OF_DOMAIN = ("reddit", "science")
"""The sources that occur in the test set only."""


class Turn(NamedTuple):
    """A turn of a gold file: the source of its passage, and the texts of its answers, the original one first."""

    source: str
    answers: tuple[str, ...]


class Score(NamedTuple):
    """EM and F1 of one turn (0 to 1), or their sums over several."""

    em: float = 0.0
    f1: float = 0.0


Key = tuple[str, int]
"""The id of a dialogue, and the id of a turn."""
Gold = Mapping[Key, Turn]


def f1_points_of_turn(one: str, other: str) -> Fraction:
    """The exact value of `f1_or_none`."""
    return f1_points(one, other) if tokens(one) or tokens(other) else Fraction(1)


def turn_score(answers: tuple[str, ...], predicted: str) -> Score:
    """A prediction against n answers: leave out each in turn, take the best of the rest, and average the n values.

    A single answer is not left out.
    """
    return _mean([_best(others, predicted) for others in _leaving_one_out(answers)] or [_best(answers, predicted)])


def human_score(answers: tuple[str, ...]) -> Score:
    """Each of at least two answers against the best of the others, averaged."""
    return _mean([_best(others, own) for own, others in zip(answers, _leaving_one_out(answers), strict=True)])


def _leaving_one_out(answers: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [answers[:place] + answers[place + 1 :] for place in range(len(answers))] if len(answers) > 1 else []


def _best(answers: tuple[str, ...], predicted: str) -> Score:
    return Score(max(exact(one, predicted) for one in answers), max(f1_or_none(one, predicted) for one in answers))


def _mean(scores: list[Score]) -> Score:
    total = _sum(scores)
    return Score(total.em / len(scores), total.f1 / len(scores))


def human(gold: Gold) -> dict[Key, Score]:
    """The human score of each turn. ValueError if a turn has a single answer (there the script stops)."""
    for (name, turn), found in gold.items():
        if len(found.answers) < 2:
            raise ValueError(f"Turn {turn} of dialogue {name} has only one answer, so people can’t be compared.")
    return {key: human_score(found.answers) for key, found in gold.items()}


def model(gold: Gold, predicted: Mapping[Key, str]) -> dict[Key, Score]:
    """The score of each turn that has a prediction; the others count 0."""
    return {key: turn_score(found.answers, predicted[key]) for key, found in gold.items() if key in predicted}


def printed(gold: Gold, scores: Mapping[Key, Score]) -> dict[str, dict[str, float]]:
    """What the script prints: EM, F1 and the number of turns by domain, in domain, out of domain and overall.

    KeyError for a source that is not one of DOMAINS, as in the script.
    """
    sums, turns = totals(gold, scores)
    figures = {domain: _row(sums[source], turns[source]) for source, domain in DOMAINS.items()}
    in_sum, in_turns = _sum(sums[one] for one in IN_DOMAIN), sum(turns[one] for one in IN_DOMAIN)
    out_sum, out_turns = _sum(sums[one] for one in OUT_OF_DOMAIN), sum(turns[one] for one in OUT_OF_DOMAIN)
    figures["in_domain"] = _row(in_sum, in_turns)
    figures["out_domain"] = _row(out_sum, out_turns)
    figures["overall"] = _row(_sum((in_sum, out_sum)), in_turns + out_turns)
    return figures


def totals(gold: Gold, scores: Mapping[Key, Score]) -> tuple[dict[str, Score], dict[str, int]]:
    """(sums, numbers of turns) by source, in the script's order of addition. KeyError for an unknown source."""
    sums, turns = dict.fromkeys(DOMAINS, Score()), dict.fromkeys(DOMAINS, 0)
    for key, found in gold.items():
        sums[found.source] = _sum((sums[found.source], scores.get(key, Score())))
        turns[found.source] += 1
    return sums, turns


def _sum(scores: Iterable[Score]) -> Score:
    em, total = 0.0, 0.0
    for one in scores:
        em, total = em + one.em, total + one.f1
    return Score(em, total)


def _row(total: Score, turns: int) -> dict[str, float]:
    """The script's rounding; its order of operations matters for the last digit."""
    return {
        "em": round(total.em / max(1, turns) * 100, 1),
        "f1": round(total.f1 / max(1, turns) * 100, 1),
        "turns": turns,
    }


def compare(activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
    """Agreement of two annotations of one item, 0 to 1: the mean token F1 of their answers by turn.

    A turn that only one of them has counts 0. For games these are the guesses; two conversations about a passage are
    compared by the answers at the same place, whatever was asked.
    """
    one, other = _answers(activity, a), _answers(activity, b)
    turns = one.keys() | other.keys()
    if not turns:
        return 1.0
    return sum(f1_or_none(one[turn], other[turn]) for turn in one.keys() & other.keys()) / len(turns)


def _answers(activity: str, annotation: AnnotationRecord) -> dict[int, str]:
    answers: Mapping[int, Any] = (
        guesses(annotation)
        if activity == "guess"
        else {turn: exchange.answer for turn, exchange in enumerate(exchanges(annotation), start=1)}
    )
    return {turn: released_text(answer) for turn, answer in answers.items()}
