"""What SQuAD stores: payloads of its stages, imported answers, paragraphs and questions; and its project config."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import unquote

from pydantic import Field, TypeAdapter

from annotation.documents.spans import MarkedSpan
from annotation.i18n import _
from annotation.values.schemas import Payload, ProjectConfig

MOST_QUESTIONS = 5
"""Most questions that one person may ask about one paragraph (both papers)."""
LONGEST_QUESTION = 300
"""Most characters of a question."""

Text = Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]


class Answerable(Payload):
    """A question and the words of the paragraph that answer it."""

    kind: Literal["answerable"]
    text: Text
    span: MarkedSpan


class Impossible(Payload):
    """A question that the paragraph does not answer, and the words of it that look like an answer."""

    kind: Literal["impossible"]
    text: Text
    span: MarkedSpan


WrittenQuestion = Annotated[Answerable | Impossible, Field(discriminator="kind")]


class Questions(Payload):
    """One person's questions about one paragraph, in their order."""

    questions: tuple[WrittenQuestion, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)


class Marked(Payload):
    """The words of the paragraph that answer the question."""

    kind: Literal["span"]
    span: MarkedSpan


class Unanswerable(Payload):
    """The paragraph does not answer the question."""

    kind: Literal["unanswerable"]


class PublishedAnswer(Payload):
    """An answer as in the file, whether or not its text is at `answer_start`; `fields` are its unknown keys."""

    text: str
    answer_start: int
    fields: dict[str, Any] = Field(default_factory=dict)

    def places_in(self, context: str) -> tuple[tuple[int, int], ...]:
        """Where it stands in the paragraph; nowhere if its offset is wrong, or if it is empty."""
        start, end = self.answer_start, self.answer_start + len(self.text)
        return ((start, end),) if 0 <= start < end and context[start:end] == self.text else ()


class Paragraph(Payload):
    """Payload of an item of kind `paragraph`; its text is the item's document.

    `article` identifies the article, `place` is the paragraph's number in it, from 1. `fields` and `article_fields` are
    the unknown keys of the paragraph and of its article. `before` and `after` are articles without paragraphs, whole:
    those directly before this paragraph's article in the file, and those at the end of the file. All but `title` and
    the unknown keys is of the file that brought the paragraph in; later ones may have it elsewhere.
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

    `answer` is what its writer marked here. `is_impossible` and `plausible_answers` are the fields of the published
    layout, also from the writer; None if unknown. `fields` are the unknown keys of a published question, `absent` the
    known ones that it did not have.
    """

    question: str
    answer: MarkedSpan | None = None
    is_impossible: bool | None = None
    plausible_answers: tuple[PublishedAnswer, ...] | None = None
    fields: dict[str, Any] = Field(default_factory=dict)
    absent: tuple[str, ...] = ()


def article_title(published: str) -> str:
    """A readable title: published ones are percent-encoded parts of URLs (`Beyonc%C3%A9_Knowles`)."""
    return " ".join(unquote(published).replace("_", " ").split())


class Config(ProjectConfig):
    """The configuration of a SQuAD project.

    `version` is the SQuAD version to create: in 1.1 the paragraph answers every question; in 2.0 people also ask
    questions that it does not answer.
    """

    version: Literal["1.1", "2.0"] = Field(
        default="2.0",
        title=_("Version of the dataset to make"),
        description=_("In 1.1 the paragraph answers every question; in 2.0 people also ask what it does not answer."),
    )


QUESTIONS = TypeAdapter(Questions)
ANSWER = TypeAdapter(Annotated[Marked | Unanswerable, Field(discriminator="kind")])
PUBLISHED_ANSWER = TypeAdapter(PublishedAnswer)
