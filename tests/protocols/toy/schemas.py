"""Payloads of the toy: questions, answers with a reason that the asker never sees, verdicts of a third person."""

from __future__ import annotations

from pydantic import Field, TypeAdapter

from annotation.values.schemas import Payload, ProjectConfig


class Topic(Payload):
    """An item: both know the topic, only the teller knows the fact."""

    topic: str
    fact: str


class Config(ProjectConfig):
    """`enough_turns`: from so many on a talk counts that somebody has left. Outside the training set a lead decides."""

    enough_turns: int = Field(default=99, ge=1)


class Talk(Payload):
    """An item created from all talks about a topic together."""

    topic: str
    lines: tuple[str, ...]


class Question(Payload):
    text: str = Field(min_length=1, max_length=200)


class Telling(Payload):
    text: str = Field(min_length=1, max_length=200)
    reason: str = Field(max_length=200)


class Verdict(Payload):
    good: bool


QUESTION, TELLING, VERDICT = TypeAdapter(Question), TypeAdapter(Telling), TypeAdapter(Verdict)
