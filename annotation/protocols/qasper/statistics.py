"""Statistics of the QASPER paper for any release in its layout, to compare with the published values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from annotation.i18n import _
from annotation.protocols.qasper.papers import FLOAT
from annotation.protocols.qasper.scoring import (
    AT_LEAST,
    TYPES,
    Judged,
    Reference,
    gold_references,
    left_one_out,
    mean,
)
from annotation.statistics.clustered_means import ClusteredMean, clustered_mean, clustered_shares

Release = Mapping[str, Mapping[str, Any]]
"""Paper id -> paper, as `formats.write` yields them."""

_FLOAT = FLOAT.strip(": ")

PUBLISHED: dict[str, Any] = {
    "human_answer_f1": 0.609,
    "human_evidence_f1": 0.716,
    "human_answer_f1_by_type": {"extractive": 0.589, "abstractive": 0.397, "boolean": 0.790, "none": 0.694},
    "answerability_agreement": 0.90,
    "evidence_type_agreement": 0.84,
    "answer_types": {"extractive": 0.518, "abstractive": 0.242, "boolean": 0.139, "none": 0.102},
    "evidence": {"text": 0.816, "float": 0.116, "none": 0.128},
    "several_paragraphs": 0.555,
    "questions_per_paper": 3.2,
    "most_questions_of_a_paper": 12,
    "answer_words": {"extractive": 14.4, "abstractive": 15.6},
    "new_to_the_writer": 0.94,
}
"""The values in the paper; shares and F1 as fractions."""

LABELS: dict[str, str] = {
    "human_answer_f1": _("Human Answer F1: each answer against the others"),
    "human_evidence_f1": _("Human Evidence F1: each answer against the others"),
    "human_answer_f1_by_type": _("Human Answer F1 by the type of the answer"),
    "human_answer_f1_by_type.extractive": _("Extractive"),
    "human_answer_f1_by_type.abstractive": _("In own words"),
    "human_answer_f1_by_type.boolean": _("Yes or no"),
    "human_answer_f1_by_type.none": _("Unanswerable"),
    "answerability_agreement": _("Pairs of answers that agree whether there is an answer"),
    "evidence_type_agreement": _("Pairs of answers that agree on the kind of evidence"),
    "answer_types": _("Types of answers"),
    "answer_types.extractive": _("Extractive"),
    "answer_types.abstractive": _("In own words"),
    "answer_types.boolean": _("Yes or no"),
    "answer_types.none": _("Unanswerable"),
    "evidence": _("Answers by their evidence"),
    "evidence.text": _("Text"),
    "evidence.float": _("Figure or table"),
    "evidence.none": _("None"),
    "several_paragraphs": _("Several paragraphs, if the evidence is text"),
    "questions_per_paper": _("Questions per paper"),
    "most_questions_of_a_paper": _("Most questions of one paper"),
    "answer_words": _("Words per answer"),
    "answer_words.extractive": _("Extractive"),
    "answer_words.abstractive": _("In own words"),
    "new_to_the_writer": _("Questions by people who had not read the paper"),
}
NUMBERS = frozenset({"questions_per_paper", "most_questions_of_a_paper", "answer_words"})


def figures(release: Release) -> dict[str, Any]:
    """The statistics of a release, by paper, with the keys of PUBLISHED; None where there is nothing to measure."""
    questions, answers, pairs = list(_by_question(release)), list(_answers(release)), list(_pairs(release))
    judged = [(paper, left_one_out(found)) for paper, found in questions if len(found) >= AT_LEAST]
    types = [(paper, answer.type) for paper, answer in answers]
    evidence = [(paper, _evidence_types(answer) or {"none"}) for paper, answer in answers]
    asked = [(key, question) for key, paper in release.items() for question in paper["qas"]]
    return {
        "human_answer_f1": clustered_mean((paper, mean(row.answer_f1 for row in rows)) for paper, rows in judged),
        "human_evidence_f1": clustered_mean((paper, mean(row.evidence_f1 for row in rows)) for paper, rows in judged),
        "human_answer_f1_by_type": _answer_f1_by_type(judged) if judged else None,
        "answerability_agreement": clustered_mean(
            (paper, (one.type == "none") == (other.type == "none")) for paper, one, other in pairs
        ),
        # Of pairs in which neither is unanswerable.
        "evidence_type_agreement": clustered_mean(
            (paper, _evidence_types(one) == _evidence_types(other))
            for paper, one, other in pairs
            if "none" not in (one.type, other.type)
        ),
        "answer_types": clustered_shares(types, TYPES),
        # Answers with text, with a figure or table, and without evidence; one with both counts twice.
        "evidence": {
            kind: clustered_mean((paper, kind in found) for paper, found in evidence)
            for kind in ("text", "float", "none")
        }
        if evidence
        else None,
        # Of the answers with only text as evidence.
        "several_paragraphs": clustered_mean(
            (paper, len(set(answer.evidence)) > 1) for paper, answer in answers if _evidence_types(answer) == {"text"}
        ),
        "questions_per_paper": clustered_mean((key, len(paper["qas"])) for key, paper in release.items()),
        "most_questions_of_a_paper": max((len(paper["qas"]) for paper in release.values()), default=None),
        # Of an extractive answer, all spans together.
        "answer_words": {
            kind: clustered_mean((paper, len(one.answer.split())) for paper, one in answers if one.type == kind)
            for kind in ("extractive", "abstractive")
        },
        # Of the questions that state it.
        "new_to_the_writer": clustered_mean(
            (paper, question["paper_read"] == "no")
            for paper, question in asked
            if question.get("paper_read") in ("no", "yes")
        ),
    }


def _answer_f1_by_type(judged: list[tuple[str, list[Judged]]]) -> dict[str, ClusteredMean | None]:
    return {
        kind: clustered_mean((paper, row.answer_f1) for paper, rows in judged for row in rows if row.type == kind)
        for kind in TYPES
    }


def _by_question(release: Release) -> Iterator[tuple[str, list[Reference]]]:
    """The answers of each question with the id of its paper, without published ones that have no type."""
    for key, paper in release.items():
        for question in paper["qas"]:
            yield key, list(gold_references(one["answer"] for one in question.get("answers", ())))


def _answers(release: Release) -> Iterator[tuple[str, Reference]]:
    for paper, found in _by_question(release):
        yield from ((paper, one) for one in found)


def _pairs(release: Release) -> Iterator[tuple[str, Reference, Reference]]:
    for paper, found in _by_question(release):
        yield from ((paper, one, other) for one, other in combinations(found, 2))


def _evidence_types(answer: Reference) -> set[str]:
    return {"float" if _FLOAT in text else "text" for text in answer.evidence}
