"""Schemas of what QASPER stores: payloads of stages, imported answers, papers and questions; project settings."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from annotation.documents.spans import Index, MarkedSpan
from annotation.i18n import _
from annotation.values.schemas import Payload, ProjectConfig

MAX_QUESTIONS = 100
"""Limit per person and paper (the published data has at most 12)."""


class WrittenQuestion(Payload):
    """A question, and whether its writer thinks that title and abstract already answer it.

    `kept`: the writer kept it after a warning that it is very similar to an earlier one of theirs.
    """

    text: str
    answerable_from_abstract: bool
    kept: bool = False


class Questions(Payload):
    """A writer's questions about a paper, in order, and the writer's background ("": not stated)."""

    nlp_background: Literal["zero", "two", "five", "infinity", ""]
    topic_background: Literal["unfamiliar", "familiar", "research", ""]
    paper_read: Literal["no", "yes", ""]
    search_query: str = Field(max_length=500)
    questions: tuple[WrittenQuestion, ...] = Field(min_length=1, max_length=MAX_QUESTIONS)


class SentencesUnit(Payload):
    """Sentences [start, end) of a paragraph (a block of the layout); `quote` is their verbatim text."""

    kind: Literal["sentences"]
    paragraph: Index
    start: Index
    end: Index
    quote: str


class FloatUnit(Payload):
    """A whole figure or table: its index in the paper; `quote` is its caption ("" if it has none)."""

    kind: Literal["float"]
    index: Index
    quote: str


EvidenceUnit = Annotated[SentencesUnit | FloatUnit, Field(discriminator="kind")]


class AnswerSpan(Payload):
    """Code points [start, end) of a paragraph; `quote` is their text."""

    paragraph: Index
    start: Index
    end: Index
    quote: str

    @property
    def marked(self) -> MarkedSpan:
        """The span, with the paper's paragraphs as passages."""
        return MarkedSpan(passage=self.paragraph, start=self.start, end=self.end, quote=self.quote)


class Unanswerable(Payload):
    """The paper does not answer the question."""

    kind: Literal["unanswerable"]


class Answered(Payload):
    """Base of answers other than unanswerable; `in_abstract`: title and abstract already answer the question."""

    in_abstract: bool = False


class Extractive(Answered):
    """Words of the paper answer the question; each span lies inside the evidence."""

    kind: Literal["extractive"]
    spans: tuple[AnswerSpan, ...] = Field(min_length=1)
    evidence: tuple[EvidenceUnit, ...] = Field(min_length=1)


class YesNo(Answered):
    """Yes or no. `by_absence`: no, because the paper does not mention it; then there is no evidence."""

    kind: Literal["yes_no"]
    value: bool
    evidence: tuple[EvidenceUnit, ...]
    by_absence: bool


class Abstractive(Answered):
    """An answer in the annotator's own words."""

    kind: Literal["abstractive"]
    text: str
    evidence: tuple[EvidenceUnit, ...] = Field(min_length=1)


Answer = Annotated[Unanswerable | Extractive | YesNo | Abstractive, Field(discriminator="kind")]


class PublishedAnswer(Payload):
    """A published answer, unchanged; it may have several types. `highlighted_evidence` is None if the key is missing.

    `answer` and `published` have the unknown keys of the answer and of the object around it, including `worker_id`.
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
    """Payload of an item of kind `paper`: everything except the full text, which is in its document.

    `licence` is "" if none is stated; `absent` are keys that the published record lacks.
    """

    title: str
    abstract: str
    licence: str = ""
    absent: tuple[str, ...] = ()


class Question(Payload):
    """Payload of an item of kind `question`; in a published record the writer's background may be null or missing.

    `published` has its unknown keys and the writer's id; `absent` are the keys that it lacks.
    """

    question: str
    nlp_background: str | None = ""
    topic_background: str | None = ""
    paper_read: str | None = ""
    search_query: str | None = ""
    answerable_from_abstract: bool = False
    published: dict[str, Any] = Field(default_factory=dict)
    absent: tuple[str, ...] = ()


class Config(ProjectConfig):
    """The settings of a QASPER project.

    `licences`, `archives`, `fields` and `latex_only` filter the papers of `import_items`: one that states something
    else is refused, one that states nothing is accepted. An empty list accepts everything; a licence matches by prefix.
    `separate_pools`: people who ask in this project can't answer in it.
    """

    licences: tuple[str, ...] = Field(
        default=("CC BY",),
        title=_("Licences of papers"),
        description=_("By how they begin. A paper that states another is refused; empty: all are accepted."),
    )
    archives: tuple[str, ...] = Field(
        default=(),
        title=_("Archives of papers"),
        description=_("arXiv, for example. A paper that states another is refused; empty: all are accepted."),
    )
    fields: tuple[str, ...] = Field(
        default=(),
        title=_("Fields of papers"),
        description=_("A paper that states others only is refused; empty: all are accepted."),
    )
    latex_only: bool = Field(
        default=False,
        title=_("Only papers with LaTeX source"),
        description=_("A paper that states that it has none is refused."),
    )
    separate_pools: bool = Field(
        default=True,
        title=_("Keep people who ask apart from those who answer"),
        description=_("Whoever has begun one of the two never does the other, on any paper."),
    )


QUESTIONS = TypeAdapter(Questions)
ANSWER = TypeAdapter(Answer)
PUBLISHED_ANSWER = TypeAdapter(PublishedAnswer)
