"""Similarity of annotations, the metrics of the official evaluator (answer F1, evidence F1), and the human score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from annotation.protocols.qasper import schemas
from annotation.protocols.qasper.papers import FLOAT
from annotation.statistics.token_f1 import f1, f1_of_counts, f1_similarity, mean_best_similarity
from annotation.values.records import AnnotationRecord, latest_payload

TYPES = ("extractive", "abstractive", "boolean", "none")
"""Answer types, as the evaluator's output names them."""
AT_LEAST = 3
"""References that a question needs for the human score, as in the paper."""

_FLOAT = FLOAT.strip(": ")


class Reference(NamedTuple):
    """An answer as the evaluator compares it: text, type, evidence."""

    answer: str
    type: str
    evidence: tuple[str, ...]


class Prediction(NamedTuple):
    """The answer of a system, or of a person treated as one."""

    answer: str
    evidence: tuple[str, ...]


def evidence_f1(prediction: Sequence[str], reference: Sequence[str]) -> float:
    """F1 of whole texts, 0..1, 1 if both are empty. A repeated text can match once but counts twice in the length."""
    if not prediction and not reference:
        return 1.0
    return f1_of_counts(len(set(prediction) & set(reference)), len(prediction), len(reference))


def reference_of(answer: Mapping[str, Any], *, text_evidence_only: bool = False) -> Reference:
    """A published answer as the evaluator reads it; ValueError if it has no type."""
    if answer["unanswerable"]:
        return Reference("Unanswerable", "none", ())
    evidence = tuple(answer["evidence"])
    if text_evidence_only:
        evidence = tuple(text for text in evidence if _FLOAT not in text)
    if answer["extractive_spans"]:
        return Reference(", ".join(answer["extractive_spans"]), "extractive", evidence)
    if answer["free_form_answer"]:
        return Reference(answer["free_form_answer"], "abstractive", evidence)
    if answer["yes_no"] is None:
        raise ValueError("An answer has no type: it is not unanswerable, and has no spans, text or yes/no.")
    return Reference("Yes" if answer["yes_no"] else "No", "boolean", evidence)


def gold_references(answers: Iterable[Mapping[str, Any]], *, text_evidence_only: bool = False) -> Iterator[Reference]:
    """The published answers to a question that have a type."""
    for answer in answers:
        try:
            yield reference_of(answer, text_evidence_only=text_evidence_only)
        except ValueError:
            continue


def references(
    release: Mapping[str, Mapping[str, Any]], *, text_evidence_only: bool = False
) -> dict[str, list[Reference]]:
    """Question id -> references of a release; the later question wins if an id is repeated."""
    return {
        question["question_id"]: [
            reference_of(one["answer"], text_evidence_only=text_evidence_only) for one in question["answers"]
        ]
        for paper in release.values()
        for question in paper["qas"]
    }


def predictions(rows: Iterable[Mapping[str, Any]]) -> dict[str, Prediction]:
    """Question id -> prediction; the last row wins if an id is repeated."""
    return {row["question_id"]: Prediction(row["predicted_answer"], tuple(row["predicted_evidence"])) for row in rows}


class Judged(NamedTuple):
    """Scores of a prediction: the maxima over its references, and the type of the one with the best answer F1."""

    answer_f1: float
    evidence_f1: float
    type: str


def judge(gold: Sequence[Reference], predicted: Prediction) -> Judged:
    """Maxima over references, separately for answer and evidence; ties go to the first. ValueError without any."""
    if not gold:
        raise ValueError("A question has no reference.")
    scored = [(f1(predicted.answer, one.answer), one.type) for one in gold]
    best, kind = max(scored, key=lambda found: found[0])
    return Judged(best, max(evidence_f1(predicted.evidence, one.evidence) for one in gold), kind)


def per_question(
    gold: Mapping[str, Sequence[Reference]], predicted: Mapping[str, Prediction]
) -> dict[str, Judged | None]:
    """The scores of each gold question; None if it has no prediction."""
    return {key: judge(found, predicted[key]) if key in predicted else None for key, found in gold.items()}


def evaluate(gold: Mapping[str, Sequence[Reference]], predicted: Mapping[str, Prediction]) -> dict[str, Any]:
    """The output of the official evaluator, as fractions 0..1; a missing prediction scores 0 and has no type."""
    judged = per_question(gold, predicted)
    rows = [found or Judged(0.0, 0.0, "") for found in judged.values()]
    return {
        "Answer F1": mean(row.answer_f1 for row in rows),
        "Answer F1 by type": {kind: mean(row.answer_f1 for row in rows if row.type == kind) for kind in TYPES},
        "Evidence F1": mean(row.evidence_f1 for row in rows),
        "Missing predictions": sum(found is None for found in judged.values()),
    }


def human(gold: Mapping[str, Sequence[Reference]], *, at_least: int = AT_LEAST) -> dict[str, Any]:
    """Leave-one-out scores, 0..1: each reference against the others, for questions with at least `at_least`.

    `per_question`: the mean over a question's references, then over questions; `per_annotation`: over all references.
    With text evidence only, neither side has floats, because `gold` lacks them.
    """
    questions = [left_one_out(found) for found in gold.values() if len(found) >= max(at_least, 2)]
    rows = [row for question in questions for row in question]
    return {
        "questions": len(questions),
        "annotations": len(rows),
        "per_question": {
            "answer_f1": mean(mean(row.answer_f1 for row in question) for question in questions),
            "evidence_f1": mean(mean(row.evidence_f1 for row in question) for question in questions),
        },
        "per_annotation": {
            "answer_f1": mean(row.answer_f1 for row in rows),
            "evidence_f1": mean(row.evidence_f1 for row in rows),
        },
        "answer_f1_by_type": {kind: mean(row.answer_f1 for row in rows if row.type == kind) for kind in TYPES},
    }


def left_one_out(gold: Sequence[Reference]) -> list[Judged]:
    """Each reference scored as a prediction against the others."""
    return [
        judge([*gold[:place], *gold[place + 1 :]], Prediction(one.answer, one.evidence))
        for place, one in enumerate(gold)
    ]


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of no values, as in the evaluator."""
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def compare(activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
    """Similarity of two annotations of an item: 0..1, symmetric, 1 for an annotation with itself.

    Answers: two unanswerable 1, one of them 0; else the mean of answer F1 and evidence F1. Published evidence is
    paragraphs, so against it our sentences count as the paragraphs that contain them.
    Questions: the mean, over all questions of both sides, of the best answer F1 on the other side.
    """
    if activity == "ask":
        return mean_best_similarity(_questions(a), _questions(b))
    one, other = latest_payload(a.answers, "answer"), latest_payload(b.answers, "answer")
    first, second = answer_text(one), answer_text(other)
    if first is None or second is None:
        return float(first is None and second is None)
    return (f1_similarity(first, second) + alike_evidence(one, other)) / 2


def _questions(annotation: AnnotationRecord) -> list[str]:
    written = latest_payload(annotation.answers, "questions")
    return [question.text for question in written.questions] if written is not None else []


def answer_text(payload: Any) -> str | None:
    """The text that the evaluator would compare; None for unanswerable and for a published answer without a type."""
    match payload:
        case schemas.PublishedAnswer():
            try:
                found = reference_of(payload.model_dump())
            except ValueError:
                return None
            return None if found.type == "none" else found.answer
        case schemas.Extractive():
            return ", ".join(span.quote for span in payload.spans)
        case schemas.YesNo():
            return "Yes" if payload.value else "No"
        case schemas.Abstractive():
            return payload.text
    return None


def alike_evidence(one: Any, other: Any) -> float:
    if isinstance(one, schemas.PublishedAnswer) and isinstance(other, schemas.PublishedAnswer):
        return evidence_f1(tuple(dict.fromkeys(one.evidence)), tuple(dict.fromkeys(other.evidence)))
    if isinstance(one, schemas.PublishedAnswer):
        one, other = other, one
    first = places(one)
    if isinstance(other, schemas.PublishedAnswer):
        second: Sequence[Any] = tuple(dict.fromkeys(other.evidence))
        same = _found_in(second, first.values())
    else:
        second = tuple(places(other))
        same = len(first.keys() & set(second))
    return 1.0 if not first and not second else f1_of_counts(same, len(first), len(second))


def places(payload: Any) -> dict[tuple[str, int], list[str]]:
    """Each paragraph and float of our evidence, with the texts chosen there."""
    found: dict[tuple[str, int], list[str]] = {}
    for unit in payload.evidence:
        if isinstance(unit, schemas.FloatUnit):
            found.setdefault(("float", unit.index), [FLOAT + unit.quote])
        else:
            found.setdefault(("paragraph", unit.paragraph), []).append(unit.quote)
    return found


def _found_in(texts: Sequence[str], places: Iterable[Sequence[str]]) -> int:
    """How many places match a text of their own: one that contains everything chosen there."""
    free = list(texts)
    for quotes in places:
        match = next((text for text in free if all(quote in text for quote in quotes)), None)
        if match is not None:
            free.remove(match)
    return len(texts) - len(free)
