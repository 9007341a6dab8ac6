"""Statistics of the QASPER paper for any release in its layout, to compare with the published values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from annotation.i18n import _
from annotation.protocols.qasper.papers import FLOAT
from annotation.protocols.qasper.scoring import TYPES, Reference, gold_references, human, mean, references

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


def report(release: Release) -> dict[str, Any]:
    """The statistics of a release, with the keys of PUBLISHED; None where there is nothing to measure."""
    people = human(references(release))
    measured = people["annotations"] > 0
    return {
        "human_answer_f1": people["per_question"]["answer_f1"] if measured else None,
        "human_evidence_f1": people["per_question"]["evidence_f1"] if measured else None,
        "human_answer_f1_by_type": people["answer_f1_by_type"] if measured else None,
        "answerability_agreement": answerability_agreement(release),
        "evidence_type_agreement": evidence_type_agreement(release),
        "answer_types": answer_types(release),
        "evidence": evidence_shares(release),
        "several_paragraphs": several_paragraphs(release),
        "questions_per_paper": mean_or_none(len(paper["qas"]) for paper in release.values()),
        "most_questions_of_a_paper": max((len(paper["qas"]) for paper in release.values()), default=None),
        "answer_words": answer_words(release),
        "new_to_the_writer": new_to_the_writer(release),
    }


def answerability_agreement(release: Release) -> float | None:
    """Share of pairs of answers to a question that are both unanswerable or both not."""
    return mean_or_none((one.type == "none") == (other.type == "none") for one, other in _pairs(release))


def evidence_type_agreement(release: Release) -> float | None:
    """Share of pairs of answers to a question, neither unanswerable, whose evidence has the same types."""
    return mean_or_none(
        _evidence_types(one) == _evidence_types(other)
        for one, other in _pairs(release)
        if "none" not in (one.type, other.type)
    )


def answer_types(release: Release) -> dict[str, float] | None:
    """Share of each type among all answers."""
    types = [answer.type for answer in _answers(release)]
    return {kind: types.count(kind) / len(types) for kind in TYPES} if types else None


def evidence_shares(release: Release) -> dict[str, float] | None:
    """Shares of answers with text, with a figure or table, and without evidence; one with both counts twice."""
    found = [_evidence_types(answer) or {"none"} for answer in _answers(release)]
    return {kind: mean(kind in types for types in found) for kind in ("text", "float", "none")} if found else None


def several_paragraphs(release: Release) -> float | None:
    """Share with several paragraphs among the answers with only text as evidence."""
    return mean_or_none(
        len(set(answer.evidence)) > 1 for answer in _answers(release) if _evidence_types(answer) == {"text"}
    )


def answer_words(release: Release) -> dict[str, float | None]:
    """Mean number of words in extractive (all spans together) and abstractive answers."""
    return {
        kind: mean_or_none(len(answer.answer.split()) for answer in _answers(release) if answer.type == kind)
        for kind in ("extractive", "abstractive")
    }


def new_to_the_writer(release: Release) -> float | None:
    """Share of questions whose writer had not read the paper, among those that state it."""
    said = [question.get("paper_read") for paper in release.values() for question in paper["qas"]]
    return mean_or_none(one == "no" for one in said if one in ("no", "yes"))


def mean_or_none(values: Iterable[float]) -> float | None:
    """The mean; None of no values."""
    found = list(values)
    return mean(found) if found else None


def _by_question(release: Release) -> Iterator[list[Reference]]:
    """The answers of each question, without published ones that have no type."""
    for paper in release.values():
        for question in paper["qas"]:
            yield list(gold_references(one["answer"] for one in question.get("answers", ())))


def _answers(release: Release) -> Iterator[Reference]:
    for found in _by_question(release):
        yield from found


def _pairs(release: Release) -> Iterator[tuple[Reference, Reference]]:
    for found in _by_question(release):
        yield from combinations(found, 2)


def _evidence_types(answer: Reference) -> set[str]:
    return {"float" if _FLOAT in text else "text" for text in answer.evidence}
