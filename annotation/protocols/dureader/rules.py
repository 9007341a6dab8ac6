"""The rules of DuReader: what each stage shows, which answers are valid, how alike two people's answers are. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from annotation.documents.words import caseless, language_by_script, length_of, plain_words, says_something
from annotation.errors import NotFound, Problem
from annotation.i18n import _
from annotation.protocols.dureader import schemas
from annotation.protocols.dureader.overlap import characters
from annotation.protocols.dureader.schemas import Composed, PublishedAnswers, Question, Typed, WrittenAnswer
from annotation.statistics.token_f1 import f1_of_counts, mean_best_similarity
from annotation.talks import first_unanswered
from annotation.values.records import AnnotationRecord, Context, GivenAnswer, ItemRecord, Step, Waiting, latest_payload
from annotation.values.sheets import Sheet


@dataclass(frozen=True)
class ShownDocument:
    """A document: its place from 0, its title and its paragraphs, and the language that its script tells."""

    place: int
    title: str
    paragraphs: tuple[str, ...]
    lang: str


@dataclass(frozen=True, kw_only=True)
class QuestionSheet(Sheet):
    """A question alone, to be told its type: its documents come later."""


@dataclass(frozen=True, kw_only=True)
class ComposeSheet(Sheet):
    """A question with its documents, without what others answered. `question_type`: as it came, or as this person says.

    `side_by_side`: how the documents are shown at first.
    """

    documents: tuple[ShownDocument, ...]
    question_type: str
    fact_or_opinion: str
    side_by_side: bool

    @property
    def word_count(self) -> int:
        """The words, or the characters where they have no spaces, of the question and of its documents."""
        texts = (text for each in self.documents for text in (each.title, *each.paragraphs))
        return super().word_count + sum(length_of(text).n for text in texts)


def next_step(context: Context) -> Step | Waiting | None:
    """The type comes first, where it does not come with the question; then the answers; None when both are there."""
    typed = Question.from_stored(context.item.payload)
    known = typed.question_type is not None and typed.fact_or_opinion is not None
    stages = ("answers",) if known else ("kind", "answers")
    return first_unanswered((Step(stage, seat=context.seat) for stage in stages), context)


def sheet(context: Context, step: Step | Waiting) -> Sheet:
    """What the writer sees at this step."""
    if isinstance(step, Waiting):
        raise NotFound
    question = Question.from_stored(context.item.payload)
    prompt, lang = question.question.strip(), language_by_script(question.question)
    if step.stage == "kind":
        return QuestionSheet(stage=step.stage, prompt=prompt, lang=lang)
    kind, fact = type_of(context.item, context.answers)
    if step.stage != "answers" or not (kind and fact):
        raise NotFound
    config = context.config if isinstance(context.config, schemas.Config) else schemas.Config()
    return ComposeSheet(
        stage=step.stage,
        prompt=prompt,
        lang=lang,
        documents=documents_of(context.item),
        question_type=kind,
        fact_or_opinion=fact,
        side_by_side=config.side_by_side,
    )


def documents_of(item: ItemRecord) -> tuple[ShownDocument, ...]:
    """The documents of a question, in their order."""
    stored = orjson.loads(item.documents[0].source)
    return tuple(
        ShownDocument(n, each["title"], tuple(each["paragraphs"]), language_by_script(" ".join(each["paragraphs"])))
        for n, each in enumerate(stored)
    )


def type_of(item: ItemRecord, answers: tuple[GivenAnswer, ...]) -> tuple[str, str]:
    """Its type, and fact or opinion: as they came with the question, or else as one person says; "" before that."""
    question, said = Question.from_stored(item.payload), latest_payload(answers, "kind")
    own = (said.question_type, said.fact_or_opinion) if isinstance(said, Typed) else ("", "")
    return question.question_type or own[0], question.fact_or_opinion or own[1]


def check(context: Context, step: Step, payload: Any) -> list[Problem]:
    """What is wrong with these answers, which the schema has accepted."""
    if not isinstance(payload, Composed):
        return []
    kind, _fact = type_of(context.item, context.answers)
    found: list[Problem] = []
    before: set[tuple[str, ...]] = set()
    for number, answer in enumerate(payload.answers, start=1):
        found += _of_answer(number, answer, kind)
        key = tuple(characters(answer.text))
        if key in before and kind != "YES_NO":
            message = _("Answer %(number)s: you have written this answer already.")
            found.append(Problem(f"text_{number}", "twice", message, values={"number": number}))
        before.add(key)
    if payload.answers and not payload.used:
        found.append(Problem("used", "none", _("Mark the documents that you used.")))
    if any(place >= len(documents_of(context.item)) for place in payload.used):
        found.append(Problem("used", "unknown", _("The question has no such document.")))
    return found


def _of_answer(number: int, answer: WrittenAnswer, kind: str) -> list[Problem]:
    values, found = {"number": number}, []
    if not says_something(answer.text):
        message = _("Answer %(number)s: write the answer, or remove it.")
        found.append(Problem(f"text_{number}", "empty", message, values=values))
    if kind == "YES_NO" and answer.opinion is None:
        message = _("Answer %(number)s: say whether it is yes, no, or depends.")
        found.append(Problem(f"opinion_{number}", "missing", message, values=values))
    if kind == "ENTITY" and not answer.entities:
        message = _("Answer %(number)s: name its entities.")
        found.append(Problem(f"entities_{number}", "missing", message, values=values))
    if not all(map(says_something, answer.entities)):
        message = _("Answer %(number)s: an entity needs a letter or a digit.")
        found.append(Problem(f"entities_{number}", "empty", message, values=values))
    if len(set(answer.entities)) < len(answer.entities):
        message = _("Answer %(number)s: an entity is there twice.")
        found.append(Problem(f"entities_{number}", "twice", message, values=values))
    if (kind != "YES_NO" and answer.opinion is not None) or (kind != "ENTITY" and answer.entities):
        message = _("Answer %(number)s: a question of this type has no opinions or entities.")
        found.append(Problem(f"text_{number}", "other_type", message, values=values))
    return found


def answers_in(annotation: AnnotationRecord) -> tuple[WrittenAnswer, ...] | None:
    """The answers of an annotation, ours or published; None if it says nothing about them."""
    found = latest_payload(annotation.answers, "answers")
    return written_answers(found) if isinstance(found, Composed | PublishedAnswers) else None


def written_answers(payload: Composed | PublishedAnswers) -> tuple[WrittenAnswer, ...]:
    """The answers, ours or published, as they were written."""
    if isinstance(payload, Composed):
        return payload.answers
    n = len(payload.answers)
    opinions = payload.yesno_answers or ("",) * n
    entities = payload.entity_answers or ((),) * n
    return tuple(
        WrittenAnswer.model_construct(text=text, opinion=opinion or None, entities=tuple(names))
        for text, opinion, names in zip(payload.answers, opinions, entities, strict=True)
    )


def similarity(one: Sequence[WrittenAnswer], other: Sequence[WrittenAnswer]) -> float:
    """For each answer the most alike one of the other person, by the tokens that both share (F1); the mean of all.

    Two people who found no answer are alike.
    """
    mine, theirs = [tokens_of(each.text) for each in one], [tokens_of(each.text) for each in other]
    return mean_best_similarity(mine, theirs, shared_tokens)


def tokens_of(text: str) -> list[str]:
    """What is compared of an answer: its words without case; where words have no spaces, its letters and digits."""
    if length_of(text).in_characters:
        return [char for char in caseless(text) if char.isalnum()]
    return plain_words(text).split()


def shared_tokens(one: Sequence[str], other: Sequence[str]) -> float:
    """F1 of the tokens of two answers, each as often as both have it; two without any are the same."""
    if not one and not other:
        return 1.0
    return f1_of_counts((Counter(one) & Counter(other)).total(), len(one), len(other))


def compare(activity: str, a: AnnotationRecord, b: AnnotationRecord) -> float:
    """The similarity of two people's answers."""
    return similarity(answers_in(a) or (), answers_in(b) or ())


@dataclass(frozen=True)
class AnswerView:
    """An answer as leads read it."""

    text: str
    lang: str
    opinion: str
    entities: tuple[str, ...]


@dataclass(frozen=True)
class AnswersView:
    """All answers of one person, ours or published, and the titles of the documents that they used."""

    answers: tuple[AnswerView, ...]
    used: tuple[str, ...]


@dataclass(frozen=True)
class ReadDocument:
    """A document beside answers to its question. `used_by`: who has marked it as used, as the page calls them."""

    document: ShownDocument
    used_by: tuple[str, ...]


def material_of(item: ItemRecord, answers: Sequence[tuple[str, Sequence[GivenAnswer]]]) -> tuple[ReadDocument, ...]:
    """The documents of a question beside answers to it, each with those who have marked it as used."""
    used = [(who, used_places(latest_payload(tuple(given), "answers"))) for who, given in answers]
    return tuple(
        ReadDocument(each, tuple(who for who, places in used if each.place in places)) for each in documents_of(item)
    )


def used_places(payload: Any) -> Sequence[int]:
    """The places of the documents that one person marked as used, from 0; none before they have answered."""
    if isinstance(payload, PublishedAnswers):
        return [place for place, each in enumerate(payload.documents) if each.get("is_selected")]
    return payload.used if isinstance(payload, Composed) else ()


def view(stage: str, payload: Any, item: ItemRecord) -> Any:
    """What the read-only template of a stage shows."""
    if isinstance(payload, Typed):
        return payload
    titles = [each.title for each in documents_of(item)]
    return AnswersView(
        tuple(
            AnswerView(one.text, language_by_script(one.text), one.opinion or "", one.entities)
            for one in written_answers(payload)
        ),
        tuple(titles[place] for place in used_places(payload) if place < len(titles)),
    )
