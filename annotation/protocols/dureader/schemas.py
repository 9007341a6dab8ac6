"""What DuReader stores: what is asked about which documents, and answers: published ones, and those written here."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import Field, StringConstraints, TypeAdapter, model_validator

from annotation.i18n import _
from annotation.values.schemas import Payload, ProjectConfig

QuestionType = Literal["DESCRIPTION", "ENTITY", "YES_NO"]
Opinion = Literal["Yes", "No", "Depends"]
Kind = Literal["FACT", "OPINION"]
TYPES, OPINIONS, KINDS = get_args(QuestionType), get_args(Opinion), get_args(Kind)
MOST_ANSWERS = 5
"""Answers of one person to one question; a published question has three at most."""
MOST_ENTITIES = 50
LONGEST_ANSWER = 4000
"""Characters of an answer."""
LONGEST_ENTITY = 200

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_ANSWER)]
Entity = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_ENTITY)]


class Typed(Payload):
    """What somebody says a question is, where it does not come with it: the two steps of the paper."""

    question_type: QuestionType
    fact_or_opinion: Kind


class WrittenAnswer(Payload):
    """One answer in somebody's own words, with its opinion or its entities if the question asks for them."""

    text: Text
    opinion: Opinion | None = None
    entities: tuple[Entity, ...] = Field(default=(), max_length=MOST_ENTITIES)


class Composed(Payload):
    """All that one person answers to a question: differing answers, each on its own; none if the documents have none.

    `used`: the places of the documents that were used, from 0, in order.
    """

    answers: tuple[WrittenAnswer, ...] = Field(default=(), max_length=MOST_ANSWERS)
    used: tuple[Annotated[int, Field(ge=0, le=4)], ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Composed:
        if list(self.used) != sorted(set(self.used)):
            raise ValueError("The used documents are not in order, each once.")
        return self


class PublishedAnswers(Payload):
    """The answers of a published question as they came, parallel lists; None for a list that it does not have.

    `documents`: by document what was said of it together with the answers (is_selected, most_related_para); `fields`:
    what was computed from the answers, such as answer_spans and match_scores.
    """

    answers: tuple[str, ...]
    yesno_answers: tuple[str, ...] | None = None
    entity_answers: tuple[tuple[str, ...], ...] | None = None
    documents: tuple[dict[str, Any], ...] = ()
    fields: dict[str, Any] = Field(default_factory=dict)


class Question(Payload):
    """Payload of an item; its documents are one document, the JSON of their list without what tells of answers.

    `question_type` and `fact_or_opinion` are None where people say them. `source`: search or zhidao, by the name of the
    file. `fields`: the other keys, as they came.
    """

    question: str
    question_type: QuestionType | None = None
    fact_or_opinion: Kind | None = None
    source: str = ""
    fields: dict[str, Any] = Field(default_factory=dict)


class Config(ProjectConfig):
    """The configuration of a DuReader project."""

    side_by_side: bool = Field(
        default=True,
        title=_("Show the documents side by side"),
        description=_("Otherwise one after another. Everybody can change it for themselves."),
    )


TYPED = TypeAdapter(Typed)
COMPOSED = TypeAdapter(Composed)
PUBLISHED_ANSWERS = TypeAdapter(PublishedAnswers)
