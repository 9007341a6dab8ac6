"""The figures of the two SQuAD papers for any release, so that a lead can compare ours with the published ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from annotation.i18n import _
from annotation.protocols.squad import schemas, scoring
from annotation.protocols.squad.schemas import question_of
from annotation.protocols.squad.scoring import mean_or_none
from annotation.protocols.squad.writing import answers_of, is_impossible
from annotation.values.records import ReleaseRecord, latest_payload

PUBLISHED: dict[str, Any] = {
    "human_exact": 0.770,
    "human_f1": 0.868,
    "questions_per_paragraph": 4.64,
    "impossible": 0.501,
    "found_unanswerable": 0.026,
}
"""The published figures, as fractions. From the 1.1 paper (Rajpurkar et al., 2016): human scores on the test set
(section 6.2); 107,785 questions about 23,215 paragraphs; the share of questions in the development and test sets that
at least one additional annotator marked as unanswerable (section 3). From the files of 2.0: 5,945 of the 11,873
questions in the development set."""

LABELS: dict[str, str] = {
    "human_exact": _("Human exact match: the second answer against the others"),
    "human_f1": _("Human F1: the second answer against the others"),
    "questions_per_paragraph": _("Questions per paragraph"),
    "impossible": _("Asked as unanswerable"),
    "found_unanswerable": _("Asked as answerable, found unanswerable by somebody"),
}
NUMBERS = frozenset({"questions_per_paragraph"})


def report(records: Iterable[ReleaseRecord]) -> dict[str, Any]:
    """Every figure of a release, with the keys of PUBLISHED; None if there was nothing to measure."""
    paragraphs = list(records)
    asked = [(child, one.item.documents[0].text) for one in paragraphs for child in one.children]
    people = scoring.human({child.item.external_id: texts(child, context) for child, context in asked})
    return {
        "human_exact": people["exact"],
        "human_f1": people["f1"],
        "questions_per_paragraph": mean_or_none(len(one.children) for one in paragraphs if one.children),
        "impossible": mean_or_none(is_impossible(child) for child, _context in asked),
        "found_unanswerable": mean_or_none(_found_unanswerable([child for child, _context in asked])),
    }


def texts(question: ReleaseRecord, context: str) -> list[str]:
    """The text of each answer to a question, its writer's first; "" for no answer."""
    own = question_of(question.item.payload)
    found = [scoring.answer_text(latest_payload(one.answers, "answer")) for one in question.annotations]
    if own.answer is not None:
        return [own.answer.quote, *found]
    return ["", *found] if own.is_impossible and not answers_of(question, context) else found


def _found_unanswerable(questions: Sequence[ReleaseRecord]) -> list[bool]:
    """For each answered question that is not impossible: whether anybody found no answer."""
    return [
        any(isinstance(latest_payload(one.answers, "answer"), schemas.Unanswerable) for one in child.annotations)
        for child in questions
        if child.annotations and not is_impossible(child)
    ]
