"""The figures of the two SQuAD papers for any release, so that a lead can compare ours with the published ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from annotation.i18n import _
from annotation.protocols.squad import schemas, scoring
from annotation.protocols.squad.schemas import Question
from annotation.protocols.squad.writing import answers_of, is_impossible
from annotation.statistics.clustered_means import ClusteredMean, clustered_mean
from annotation.statistics.token_f1 import exact, f1_or_none
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


def figures(records: Iterable[ReleaseRecord]) -> dict[str, Any]:
    """Every figure of a release, by paragraph, with the keys of PUBLISHED; None if there was nothing to measure."""
    paragraphs = list(enumerate(records))
    asked = [(place, child, one.item.documents[0].text) for place, one in paragraphs for child in one.children]
    answered = [(place, texts(child, context)) for place, child, context in asked]
    return {
        "human_exact": _human(answered, exact),
        "human_f1": _human(answered, f1_or_none),
        "questions_per_paragraph": clustered_mean(
            (place, len(one.children)) for place, one in paragraphs if one.children
        ),
        "impossible": clustered_mean((place, is_impossible(child)) for place, child, _context in asked),
        "found_unanswerable": clustered_mean(_found_unanswerable((place, child) for place, child, _context in asked)),
    }


def _human(answered: Iterable[tuple[int, Sequence[str]]], score: Callable[[str, str], float]) -> ClusteredMean | None:
    """The second answer to each question against all others, by the paper's measure (`scoring.human`)."""
    return clustered_mean(
        (place, max(score(found[1], other) for other in (found[0], *found[2:])))
        for place, found in answered
        if len(found) > 1
    )


def texts(question: ReleaseRecord, context: str) -> list[str]:
    """The text of each answer to a question, its writer's first; "" for no answer."""
    own = Question.from_stored(question.item.payload)
    found = [scoring.answer_text(latest_payload(one.answers, "answer")) for one in question.annotations]
    if own.answer is not None:
        return [own.answer.quote, *found]
    return ["", *found] if own.is_impossible and not answers_of(question, context) else found


def _found_unanswerable(questions: Iterable[tuple[int, ReleaseRecord]]) -> Iterator[tuple[int, bool]]:
    """For each answered question that is not impossible: whether anybody found no answer."""
    for place, child in questions:
        if child.annotations and not is_impossible(child):
            found = (latest_payload(one.answers, "answer") for one in child.annotations)
            yield place, any(isinstance(one, schemas.Unanswerable) for one in found)
