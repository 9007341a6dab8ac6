"""What CoQA stores: payloads of its stages, published turns, passages and conversations; and its project config."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from annotation.documents.spans import MarkedSpan
from annotation.i18n import _
from annotation.talks import Closing, Ended
from annotation.values.schemas import Payload, ProjectConfig

FEWEST_TURNS = 10
"""A conversation with fewer turns is partial; from here on either side may propose to end it."""
FEWEST_WHEN_EXHAUSTED = 5
"""From this turn on the questioner may end because the passage has nothing left to ask about."""
MOST_TURNS = 30
LONGEST = 500
"""Most characters of a question or an answer."""

Text = Annotated[str, Field(min_length=1, max_length=LONGEST)]


class Asked(Payload):
    """A question. `overlap`: its content words that stand in the passage, as the server found them when it was sent.

    None: sent before that was stored. The advice that the questioner saw was of the browser.
    """

    kind: Literal["asked"]
    text: Text
    overlap: tuple[str, ...] | None = None


class Answered(Payload):
    """A rationale and the answer edited from it, for yes and no as well. `may_end`: the answerer proposes to end."""

    kind: Literal["answered", "yes", "no"]
    text: Text
    rationale: MarkedSpan
    may_end: bool = False


class Unknown(Payload):
    """The passage does not answer the question; released as "unknown", without a rationale."""

    kind: Literal["unknown"]
    may_end: bool = False


class Verdict(Payload):
    """After the reveal: does the original answer mean the same as the player's guess?"""

    verdict: Literal["match", "no_match", "original_wrong", "question_unclear"]
    mistyped: str = Field(default="", max_length=LONGEST)


class PublishedQuestion(Payload):
    """A question as in the file; `fields` are its other keys (`bad_turn`)."""

    input_text: str
    turn_id: int
    fields: dict[str, Any] = Field(default_factory=dict)


class PublishedAnswer(Payload):
    """An answer as in the file, whatever its span; `fields` are its other keys."""

    input_text: str
    turn_id: int
    span_start: int
    span_end: int
    span_text: str
    fields: dict[str, Any] = Field(default_factory=dict)


class Passage(Payload):
    """Payload of an item of kind `passage`; its text is the item's document.

    `source` is the domain, `filename` its provenance, `name` the file's own last key (equal to `filename` in all
    published records). `fields` are the unknown keys of a published dialogue.
    """

    source: str
    filename: str
    name: str | None = None
    fields: dict[str, Any] = Field(default_factory=dict)


class Turn(Payload):
    """A question and its original answer, as the game shows them after the guess; never its rationale."""

    question: str
    answer: str


class Conversation(Payload):
    """Payload of an item of kind `conversation` (under its passage): what the prediction game is played on.

    `talk` identifies the annotation of the passage that it was made from: the `external_id` of an imported one; of ours
    the id inside the site, for which a release has the one that the annotation has there.
    """

    talk: str
    turns: tuple[Turn, ...]


class Config(ProjectConfig):
    """The configuration of a CoQA project. `overlap_advice`: whether questioners are told of words in the passage."""

    overlap_advice: bool = Field(
        default=True,
        title=_("Tell questioners which of their words are in the passage"),
        description=_("Advice never blocks; they may send the question as it is."),
    )


QUESTION = TypeAdapter(Annotated[Asked | Ended, Field(discriminator="kind")])
ANSWER = TypeAdapter(Annotated[Answered | Unknown, Field(discriminator="kind")])
CLOSING = TypeAdapter(Closing)
VERDICT = TypeAdapter(Verdict)
PUBLISHED_QUESTION = TypeAdapter(PublishedQuestion)
PUBLISHED_ANSWER = TypeAdapter(PublishedAnswer)
