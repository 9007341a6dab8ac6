"""What QASPER stores: strict payloads of its stages, of imported answers, of papers and questions, and its numbers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import orjson
from pydantic import Field, TypeAdapter

from annotation.documents.spans import Index, MarkedSpan
from annotation.schemas import Payload, ProjectConfig

MAX_QUESTIONS = 100
"""Questions that one person may write about one paper (12 at most in the published data)."""


class WrittenQuestion(Payload):
    """A question as its writer put it, and whether they think that title and abstract answer it already.

    `kept`: they were told that it is very like an earlier one of theirs, and kept it.
    """

    text: str
    answerable_from_abstract: bool
    kept: bool = False


class Questions(Payload):
    """What one writer asks about one paper, in their order, and what they say of themselves ("": nothing)."""

    nlp_background: Literal["zero", "two", "five", "infinity", ""]
    topic_background: Literal["unfamiliar", "familiar", "research", ""]
    paper_read: Literal["no", "yes", ""]
    search_query: str = Field(max_length=500)
    questions: tuple[WrittenQuestion, ...] = Field(min_length=1, max_length=MAX_QUESTIONS)


class SentencesUnit(Payload):
    """Sentences start (inclusive) to end (exclusive) of one paragraph (a block of the layout), verbatim as one text."""

    kind: Literal["sentences"]
    paragraph: Index
    start: Index
    end: Index
    quote: str


class FloatUnit(Payload):
    """A whole figure or table, by its index in the paper, and its caption ("" where it has none)."""

    kind: Literal["float"]
    index: Index
    quote: str


EvidenceUnit = Annotated[SentencesUnit | FloatUnit, Field(discriminator="kind")]


class AnswerSpan(Payload):
    """Code points start (inclusive) to end (exclusive) of one paragraph, and their text."""

    paragraph: Index
    start: Index
    end: Index
    quote: str

    @property
    def marked(self) -> MarkedSpan:
        """The same, among the paragraphs of the paper as passages."""
        return MarkedSpan(passage=self.paragraph, start=self.start, end=self.end, quote=self.quote)


class Unanswerable(Payload):
    """The paper does not answer the question."""

    kind: Literal["unanswerable"]


class Answered(Payload):
    """An answer that there is; `in_abstract`: title and abstract give it already, which its writer was to avoid."""

    in_abstract: bool = False


class Extractive(Answered):
    """Words of the paper answer it; each span lies inside the evidence."""

    kind: Literal["extractive"]
    spans: tuple[AnswerSpan, ...] = Field(min_length=1)
    evidence: tuple[EvidenceUnit, ...] = Field(min_length=1)


class YesNo(Answered):
    """Yes or no; "no" may rest on nothing being said (`by_absence`), and then there is no evidence."""

    kind: Literal["yes_no"]
    value: bool
    evidence: tuple[EvidenceUnit, ...]
    by_absence: bool


class Abstractive(Answered):
    """The annotator's own words answer it."""

    kind: Literal["abstractive"]
    text: str
    evidence: tuple[EvidenceUnit, ...] = Field(min_length=1)


Answer = Annotated[Unanswerable | Extractive | YesNo | Abstractive, Field(discriminator="kind")]


class PublishedAnswer(Payload):
    """A published answer as it came, several types at once included; `highlighted_evidence` None: no such key.

    `answer` and `published` have the unknown keys of the answer and of what stands around it (`worker_id` too).
    """

    unanswerable: bool
    extractive_spans: tuple[str, ...]
    yes_no: bool | None
    free_form_answer: str
    evidence: tuple[str, ...]
    highlighted_evidence: tuple[str, ...] | None = None
    answer: dict[str, Any] = Field(default_factory=dict)
    published: dict[str, Any] = Field(default_factory=dict)


class Paper(Payload):
    """Payload of an item of kind `paper`: what may be known without its text, which only its document has.

    `licence` is "" where none is stated; `absent` are keys that the published record came without.
    """

    title: str
    abstract: str
    licence: str = ""
    absent: tuple[str, ...] = ()


class Question(Payload):
    """Payload of an item of kind `question`; what the published record says of its writer may be null or absent.

    `published` has its unknown keys and the writer's id; `absent` are the keys that it came without.
    """

    question: str
    nlp_background: str | None = ""
    topic_background: str | None = ""
    paper_read: str | None = ""
    search_query: str | None = ""
    answerable_from_abstract: bool = False
    published: dict[str, Any] = Field(default_factory=dict)
    absent: tuple[str, ...] = ()


def paper_of(payload: dict[str, Any]) -> Paper:
    """The typed payload of a paper."""
    # As JSON text: a strict tuple takes a JSON list, but no Python list.
    return Paper.model_validate_json(orjson.dumps(payload))


def question_of(payload: dict[str, Any]) -> Question:
    """The typed payload of a question."""
    return Question.model_validate_json(orjson.dumps(payload))


class Config(ProjectConfig):
    """The numbers of a QASPER project.

    `licences`, `archives`, `fields` and `latex_only` say which papers `import_items` takes: one that states something
    else is refused, one that states nothing is taken. An empty list takes everything; a licence is compared by how it
    begins. `separate_pools`: who asks in this project never answers in it.
    """

    licences: tuple[str, ...] = ("CC BY",)
    archives: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    latex_only: bool = False
    separate_pools: bool = True


QUESTIONS = TypeAdapter(Questions)
ANSWER = TypeAdapter(Answer)
PUBLISHED_ANSWER = TypeAdapter(PublishedAnswer)
