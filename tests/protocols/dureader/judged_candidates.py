"""Answers of five made-up systems with known nuggets, and the scores that people would give them: seeded, own text.

The 2,500 answers that An Yang et al. (2018) had judged were never published. Here a candidate keeps a part of a
reference's words, in their order, with other words between them, as its system is good or bad at it. Whether its
opinion is right, and which entities it has, is drawn apart from that. The score from 1 to 5 is what the rubric says:
nuggets weigh more than words, and an answer without its nugget is at best slightly insufficient.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from annotation.protocols.dureader.adapted_metric import JudgedAnswers, Weights, judged_answers
from annotation.protocols.dureader.metric_columns import bleu_by_answer, bleu_of_sets, rouge_by_answer
from annotation.statistics.metric_against_people import ScoredAnswers

QUALITIES = {"A": 0.85, "B": 0.7, "C": 0.55, "D": 0.4, "E": 0.25}
"""The mean share of a reference's words and of nuggets that each system gets right."""
OPINIONS = ("Yes", "No", "Depends")
TEXT = """
the keeper of the lighthouse trims the lamp before dusk and notes the oil that it burned since a wet wick smokes
while salt dims the glass so he wipes each pane by hand then winds the clock that turns the lens and rests until
the fog bell wakes him near dawn when ships pass the reef with sails half furled
"""
NAMES = """Skerry Marrow Tidewell Holm Orrin Vessel Candlewick Brae Fathom Gannet Pilot Ness"""
FILLING = """perhaps some people say this elsewhere often it seems more or less here too anyway"""
WORDS, ENTITIES, OTHER = (each.split() for each in (TEXT, NAMES, FILLING))
NUGGETS = 0.6
"""The weight of nuggets in a score, the rest being that of words."""
ADAPTED, PLAIN = Weights(), Weights(alpha=0.0, beta=0.0)


@dataclass(frozen=True)
class Candidate:
    """An answer of a system to a question, what it is compared with, and its nuggets: shares of what it has right."""

    question: int
    system: str
    judged: JudgedAnswers
    words_right: float
    nuggets_right: float
    score: float


def candidates(seed: int, *, nuggets: float = NUGGETS, **questions: int) -> list[Candidate]:
    """For so many questions of each type (YES_NO, ENTITY, DESCRIPTION), five answers each.

    `nuggets`: what they weigh in scores, words having the rest.
    """
    rng = random.Random(seed)
    kinds = [kind for kind, n in questions.items() for _ in range(n)]
    return [one for number, kind in enumerate(kinds) for one in _of_question(rng, number, kind, nuggets)]


def _of_question(rng: random.Random, number: int, kind: str, nuggets: float) -> list[Candidate]:
    texts = [[rng.choice(WORDS) for _ in range(rng.randint(12, 24))] for _ in range(2)]
    names = rng.sample(ENTITIES, 4) if kind == "ENTITY" else []
    opinion = rng.choice(OPINIONS)
    row = {
        "question_id": number,
        "question_type": kind,
        "answers": [" ".join(_mixed(rng, text, names)) for text in texts],
        "entity_answers": [names, names] if names else [[]],
        "yesno_answers": [opinion, opinion] if kind == "YES_NO" else [],
    }
    return [_candidate(rng, row, texts[0], system, nuggets) for system in QUALITIES]


def _candidate(rng, row, text, system, weight):
    kind, quality = row["question_type"], QUALITIES[system]
    share = min(max(rng.gauss(quality, 0.2), 0.1), 1.0)
    kept = [word if rng.random() < share else rng.choice(OTHER) for word in text]
    names = [name for name in row["entity_answers"][0] if rng.random() < quality]
    right = rng.random() < quality
    wrong = rng.choice([each for each in OPINIONS if each not in row["yesno_answers"]])
    said = [row["yesno_answers"][0] if right else wrong] if kind == "YES_NO" else []
    given = {"answers": [" ".join(_mixed(rng, kept, names))], "yesno_answers": said}
    nuggets = {"YES_NO": float(right), "ENTITY": len(names) / 4, "DESCRIPTION": share}[kind]
    worth = weight * nuggets + (1 - weight) * share + rng.gauss(0, 0.12)
    judged = judged_answers(row, given, by_words=True)
    assert judged is not None
    return Candidate(row["question_id"], system, judged, share, nuggets, float(min(max(round(1 + 4 * worth), 1), 5)))


def _mixed(rng: random.Random, words: list[str], names: list[str]) -> list[str]:
    """The names put between the words."""
    found = list(words)
    for name in names:
        found.insert(rng.randint(0, len(found)), name)
    return found


def scored(found: list[Candidate]) -> ScoredAnswers:
    """With both metrics of each answer, adapted and plain."""
    judged = [each.judged for each in found]
    weights = {"adapted": ADAPTED, "plain": PLAIN}
    metrics = {f"{name} ROUGE-L": np.array(rouge_by_answer(judged, each)) for name, each in weights.items()}
    metrics |= {f"{name} BLEU-4": np.array(bleu_by_answer(judged, each)) for name, each in weights.items()}
    return ScoredAnswers(
        items=[each.question for each in found],
        systems=[each.system for each in found],
        types=[each.judged.question_type for each in found],
        human=np.array([each.score for each in found]),
        metrics=metrics,
    )


def bleu_by_set(found: list[Candidate]):
    """BLEU-4 of sets of these answers, adapted and plain."""
    judged = [each.judged for each in found]
    return {"adapted BLEU-4": bleu_of_sets(judged, ADAPTED), "plain BLEU-4": bleu_of_sets(judged, PLAIN)}
