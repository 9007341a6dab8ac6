"""The figures of a DuReader project: types of questions, answers, used documents, opinions, entities, lengths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from annotation.documents.words import length_of
from annotation.i18n import _
from annotation.protocols.dureader.rules import answers_in, documents_of
from annotation.protocols.dureader.schemas import OPINIONS, TYPES, Composed, PublishedAnswers, Question, WrittenAnswer
from annotation.protocols.dureader.writing import kind_of
from annotation.statistics.clustered_means import ClusteredMean, clustered_mean
from annotation.values.records import AnnotationRecord, ReleaseRecord, latest_payload

PUBLISHED: dict[str, Any] = {"opinion_or_entities": 0.362, "answers_per_question": 2.1}
"""Of version 1: the share of questions about opinions or entities (He et al., 2017, by An Yang et al., 2018, 1);
420,000 answers to 200,000 questions. The files of 2.0 that are public are a sample, so nothing is taken from them."""

LABELS: dict[str, str] = {
    "types": _("Types of questions"),
    "types.DESCRIPTION": _("Description"),
    "types.ENTITY": _("Entity"),
    "types.YES_NO": _("Yes or no"),
    "opinion_or_entities": _("Questions for an opinion or entities"),
    "opinions_asked": _("Questions that ask for an opinion, not a fact"),
    "answered": _("Somebody found an answer"),
    "answers_per_question": _("Answers per question"),
    "several_answers": _("People who wrote several differing answers"),
    "used_documents": _("Documents used by a person who answers"),
    "documents": _("Documents per question"),
    "opinions": _("Opinions"),
    "opinions.Yes": _("Yes"),
    "opinions.No": _("No"),
    "opinions.Depends": _("Depends"),
    "opposite_opinions": _("Yes-no questions whose answers differ in opinion"),
    "entities_per_answer": _("Entities per answer"),
    "answer_length": _("Length of an answer (words, or characters where there are no spaces)"),
}
NUMBERS = frozenset({"answers_per_question", "used_documents", "documents", "entities_per_answer", "answer_length"})


def figures(records: Iterable[ReleaseRecord]) -> dict[str, Any]:
    """Every figure, by question; None if there was nothing to measure."""
    questions = list(enumerate(records))
    kinds = [(place, kind_of(record, Question.from_stored(record.item.payload))) for place, record in questions]
    said = [(place, one) for place, record in questions for one in record.annotations]
    answers = [(place, found) for place, one in said if (found := answers_in(one)) is not None]
    opinions = [(place, each.opinion) for place, found in answers for each in found if each.opinion]
    typed = [(place, kind) for place, (kind, _fact) in kinds if kind]
    return {
        "types": {kind: _shares(typed, kind) for kind in TYPES},
        "opinion_or_entities": clustered_mean((place, kind != "DESCRIPTION") for place, kind in typed),
        "opinions_asked": clustered_mean((place, fact == "OPINION") for place, (_kind, fact) in kinds if fact),
        "answered": clustered_mean(
            (place, any(answers_in(one) for one in record.annotations))
            for place, record in questions
            if record.annotations
        ),
        "answers_per_question": clustered_mean(
            (place, sum(len(answers_in(one) or ()) for one in record.annotations))
            for place, record in questions
            if record.annotations
        ),
        "several_answers": clustered_mean((place, len(found) > 1) for place, found in answers if found),
        "used_documents": clustered_mean((place, n) for place, one in said if (n := _used(one)) is not None),
        "documents": clustered_mean((place, len(documents_of(record.item))) for place, record in questions),
        "opinions": {opinion: _shares(opinions, opinion) for opinion in OPINIONS},
        "opposite_opinions": _opposite(answers),
        "entities_per_answer": clustered_mean(
            (place, len(each.entities)) for place, found in answers for each in found if each.entities
        ),
        "answer_length": clustered_mean((place, length_of(each.text).n) for place, found in answers for each in found),
    }


def _shares(values: Sequence[tuple[int, str]], wanted: str) -> ClusteredMean | None:
    return clustered_mean((place, value == wanted) for place, value in values)


def _used(annotation: AnnotationRecord) -> int | None:
    """How many documents somebody used who answers; None if they don't answer or it is not known."""
    found = latest_payload(annotation.answers, "answers")
    if isinstance(found, Composed):
        return len(found.used) if found.answers else None
    if isinstance(found, PublishedAnswers) and found.answers and any("is_selected" in one for one in found.documents):
        return sum(bool(one.get("is_selected")) for one in found.documents)
    return None


def _opposite(answers: Iterable[tuple[int, Sequence[WrittenAnswer]]]) -> ClusteredMean | None:
    """Of questions with an opinion: whether there are several different ones."""
    by_question: dict[int, set[str]] = {}
    for place, found in answers:
        for each in found:
            if each.opinion:
                by_question.setdefault(place, set()).add(each.opinion)
    return clustered_mean((place, len(found) > 1) for place, found in by_question.items())
