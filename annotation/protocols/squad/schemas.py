"""What SQuAD stores: payloads of its stages, of imported answers, of paragraphs and questions, and its numbers."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import unquote

import orjson
from pydantic import Field, TypeAdapter

from annotation.documents.spans import MarkedSpan
from annotation.schemas import Payload, ProjectConfig

MOST_QUESTIONS = 5
"""Questions that one person may ask about one paragraph (both papers)."""
LONGEST_QUESTION = 300
"""Characters of a question."""

Text = Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]


class Answerable(Payload):
    """A question and the words of the paragraph that answer it."""

    kind: Literal["answerable"]
    text: Text
    span: MarkedSpan


class Impossible(Payload):
    """A question that the paragraph does not answer, and words of it that look as if they did."""

    kind: Literal["impossible"]
    text: Text
    span: MarkedSpan


WrittenQuestion = Annotated[Answerable | Impossible, Field(discriminator="kind")]


class Questions(Payload):
    """What one person asks about one paragraph, in their order."""

    questions: tuple[WrittenQuestion, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)


class Marked(Payload):
    """The words of the paragraph that answer the question."""

    kind: Literal["span"]
    span: MarkedSpan


class Unanswerable(Payload):
    """The paragraph does not answer the question."""

    kind: Literal["unanswerable"]


class PublishedAnswer(Payload):
    """An answer as a file has it, whether its text stands at `answer_start` or not; `fields` are its unknown keys."""

    text: str
    answer_start: int
    fields: dict[str, Any] = Field(default_factory=dict)


class Paragraph(Payload):
    """Payload of an item of kind `paragraph`, whose document is its text.

    `article` is the same for the paragraphs of one article and for no other, `place` the place among them, from 1.
    `fields` and `article_fields` are the unknown keys of the paragraph and of its article. `before` and `after` are
    whole articles without a paragraph that stood in the file just before this paragraph's article, or after all others.
    """

    title: str
    article: str
    place: int
    fields: dict[str, Any] = Field(default_factory=dict)
    article_fields: dict[str, Any] = Field(default_factory=dict)
    before: tuple[dict[str, Any], ...] = ()
    after: tuple[dict[str, Any], ...] = ()


class Question(Payload):
    """Payload of an item of kind `question`.

    `answer` is what its writer here marked as the answer. `is_impossible` and `plausible_answers` are the fields of the
    published layout, by the writer too; None: nothing is said. `fields` are the unknown keys of a published question,
    `absent` the known ones that it came without.
    """

    question: str
    answer: MarkedSpan | None = None
    is_impossible: bool | None = None
    plausible_answers: tuple[PublishedAnswer, ...] | None = None
    fields: dict[str, Any] = Field(default_factory=dict)
    absent: tuple[str, ...] = ()


def title_of(published: str) -> str:
    """A title as people read it: published ones are parts of addresses (`Beyonc%C3%A9_Knowles`)."""
    return " ".join(unquote(published).replace("_", " ").split())


def paragraph_of(payload: dict[str, Any]) -> Paragraph:
    """The typed payload of a paragraph."""
    # As JSON text: a strict tuple takes a JSON list, but no Python list.
    return Paragraph.model_validate_json(orjson.dumps(payload))


def question_of(payload: dict[str, Any]) -> Question:
    """The typed payload of a question."""
    return Question.model_validate_json(orjson.dumps(payload))


class Config(ProjectConfig):
    """The numbers of a SQuAD project.

    `version` is which SQuAD it makes: in 1.1 every question that is asked has an answer in its paragraph; in 2.0 people
    also ask what the paragraph does not answer.
    """

    version: Literal["1.1", "2.0"] = "2.0"


QUESTIONS = TypeAdapter(Questions)
ANSWER = TypeAdapter(Annotated[Marked | Unanswerable, Field(discriminator="kind")])
PUBLISHED_ANSWER = TypeAdapter(PublishedAnswer)
