"""Pydantic schemas of NQ: payloads of stages, imported annotations and items, and the project config."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, field_validator

from annotation.i18n import _
from annotation.parsing.fields import MAX_INT64, MIN_INT64
from annotation.values.schemas import Payload, ProjectConfig

QUOTE_LENGTH = 200
"""Code points at the beginning of a box's visible text that are stored with a long answer."""

Reason = Literal["ambiguous", "incomprehensible", "false_presupposition", "opinion", "not_a_request"]
Int64 = Annotated[int, Field(ge=MIN_INT64, le=MAX_INT64)]
Index = Annotated[int, Field(ge=0, le=2**31)]


class GoodQuestion(Payload):
    """A request for facts that an entity or an explanation can answer."""

    verdict: Literal["good"]


class BadQuestion(Payload):
    """Ambiguous, incomprehensible, with a false presupposition, asking for an opinion, or not a request for facts."""

    verdict: Literal["bad"]
    reasons: tuple[Reason, ...] = Field(min_length=1)

    @field_validator("reasons")
    @classmethod
    def _each_once(cls, reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
        if len(set(reasons)) < len(reasons):
            raise ValueError("A reason occurs twice.")
        return reasons


Question = Annotated[GoodQuestion | BadQuestion, Field(discriminator="verdict")]


class NoLongAnswer(Payload):
    """No box answers the question: the page does not, or the answer is spread over several boxes."""

    kind: Literal["none"]
    reason: Literal["page", "spread"]


class BoxAnswer(Payload):
    """The box that answers, as an index into the layout's candidates, and the beginning of its visible text."""

    kind: Literal["box"]
    candidate: Index
    quote: str = Field(max_length=QUOTE_LENGTH)


LongAnswer = Annotated[NoLongAnswer | BoxAnswer, Field(discriminator="kind")]


class SpanAnswer(Payload):
    """Tokens start (inclusive) to end (exclusive) of the layout, and their text as it was shown."""

    start: Index
    end: Index
    quote: str


class NoShortAnswer(Payload):
    """The box answers as a whole, but no entity in it does."""

    kind: Literal["none"]


class YesAnswer(Payload):
    """The box says yes."""

    kind: Literal["yes"]


class NoAnswer(Payload):
    """The box says no."""

    kind: Literal["no"]


class SpansAnswer(Payload):
    """One or several spans inside the chosen box."""

    kind: Literal["spans"]
    spans: tuple[SpanAnswer, ...] = Field(min_length=1)


ShortAnswer = Annotated[NoShortAnswer | YesAnswer | NoAnswer | SpansAnswer, Field(discriminator="kind")]


class PublishedSpan(Payload):
    """A span as in the file, negative offsets included. Byte offsets are None if the file lacks their keys."""

    start_token: Int64
    end_token: Int64
    start_byte: Int64 | None = None
    end_byte: Int64 | None = None
    published: dict[str, Any] = Field(default_factory=dict)


class PublishedLongAnswer(PublishedSpan):
    """A published long answer; `published` has the keys that our schema lacks."""

    candidate_index: Int64


class PublishedShortAnswer(Payload):
    """Published short answers and yes/no label; `published` has the unknown keys of the whole annotation."""

    short_answers: tuple[PublishedSpan, ...]
    yes_no_answer: str = Field(pattern=r"^(?i:yes|no|none)$")
    published: dict[str, Any] = Field(default_factory=dict)


class Published(Payload):
    """Details of an imported record, for releases: `absent` keys, and unknown ones, by index in the two lists.

    `text_id`: its example id is a text, as in the test file of the Kaggle challenge.
    """

    origin: Literal["nq", "nq-simplified"]
    text_id: bool = False
    absent: tuple[str, ...] = ()
    record: dict[str, Any] = Field(default_factory=dict)
    tokens: dict[str, dict[str, Any]] = Field(default_factory=dict)
    candidates: dict[str, dict[str, Any]] = Field(default_factory=dict)


class PageImage(Payload):
    """An image imported with the page: first byte of its tag, index among the item's documents, displayed size."""

    at: Index
    place: Index
    width: Index
    height: Index


class Example(Payload):
    """Payload of an item of kind `example`. `page_lang` and `page_dir` are the page's own, "" if not stated."""

    question_text: str = Field(min_length=1)
    question_tokens: tuple[str, ...] | None = None
    page_lang: str = ""
    page_dir: str = ""
    images: tuple[PageImage, ...] = ()
    published: Published | None = None


class Config(ProjectConfig):
    """The configuration of an NQ project."""

    advise_smaller_box: bool = Field(
        default=True,
        title=_("Advise to choose a smaller box where one would do"),
        description=_("Advice never blocks; it is recorded who saw it."),
    )


QUESTION = TypeAdapter(Question)
LONG_ANSWER = TypeAdapter(LongAnswer)
SHORT_ANSWER = TypeAdapter(ShortAnswer)
PUBLISHED_LONG_ANSWER = TypeAdapter(PublishedLongAnswer)
PUBLISHED_SHORT_ANSWER = TypeAdapter(PublishedShortAnswer)
