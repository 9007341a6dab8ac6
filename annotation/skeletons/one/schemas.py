"""What is stored: the payload of an item, and the kinds of answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from annotation.documents.spans import MarkedSpan
from annotation.values.schemas import Payload


class Prompt(Payload):
    """An item: what is asked about its text. `source` is for the release only; no sheet has it."""

    prompt: str = Field(min_length=1, max_length=500)
    source: str


class Marked(Payload):
    """The words of the text that answer."""

    kind: Literal["marked"]
    span: MarkedSpan


class NotSaid(Payload):
    """The text does not say."""

    kind: Literal["not_said"]


ANSWER = TypeAdapter(Annotated[Marked | NotSaid, Field(discriminator="kind")])
