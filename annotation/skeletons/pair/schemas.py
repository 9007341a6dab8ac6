"""What is stored: the payloads of items and answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from annotation.documents.spans import MarkedSpan
from annotation.talks import Closing, Ended
from annotation.values.schemas import Payload

FEWEST, MOST = 3, 12
"""After so many replies either may propose to end, and after so many it is over."""
Text = Annotated[str, Field(min_length=1, max_length=500)]


class Topic(Payload):
    """An item of kind `topic`. Its text is a document, which the asker never sees."""

    topic: Text


class Exchange(Payload):
    """What was asked and told in a turn."""

    asked: str
    told: str


class Talked(Payload):
    """An item of kind `talked`, made from a finished talk: more people answer what was asked in it."""

    exchanges: tuple[Exchange, ...]


class Asked(Payload):
    """What the asker says."""

    kind: Literal["asked"]
    text: Text


class Told(Payload):
    """What the teller replies, and the words of the text that say so."""

    kind: Literal["told"]
    text: Text
    span: MarkedSpan


class NotSaid(Payload):
    """The text does not say."""

    kind: Literal["not_said"]


ASK = TypeAdapter(Annotated[Asked | Ended, Field(discriminator="kind")])
TELL = TypeAdapter(Annotated[Told | NotSaid, Field(discriminator="kind")])
CLOSING = TypeAdapter(Closing)
