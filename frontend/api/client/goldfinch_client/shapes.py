"""What the API answers, as types; a test of Goldfinch compares them with its OpenAPI schema."""

from __future__ import annotations

from typing import Any, TypedDict


class Project(TypedDict):
    """A project; `roles` are those of the token's person."""

    slug: str
    title: str
    protocol: str
    created_at: str
    archived_at: str | None
    roles: list[str]


class Response(TypedDict):
    """One submission at a stage or in a turn. The latest revision counts."""

    stage: str
    turn: int
    revision: int
    seat: str
    author: str | None
    payload: Any
    seconds: float | None
    created_at: str


class Annotation(TypedDict):
    """An annotation with all its submissions."""

    uuid: str
    activity: str
    round: int
    purpose: str
    author: str | None
    external_id: str
    opened_at: str
    completed_at: str | None
    excluded_at: str | None
    exclusion_reason: str
    responses: list[Response]


class AnnotatedItem(TypedDict):
    """An item with its annotations; `payload` is what its protocol imported."""

    id: int
    kind: str
    external_id: str
    split: str
    payload: Any
    root: int | None
    set_aside_at: str | None
    annotations: list[Annotation]


class Dispute(TypedDict):
    """An item whose annotations in an activity disagree; `open_for`: seconds, null if it is decided."""

    item: int
    activity: str
    prompt: str
    agreement: float | None
    open_for: float | None


class AttemptBlock(TypedDict):
    """The result of a block of an exam, in points."""

    block: str
    title: str
    points: float
    of: int
    needed: float
    passed: bool


class Attempt(TypedDict):
    """Somebody's attempt at an exam; `person` is a worker code."""

    uuid: str
    person: str
    n: int
    version: int
    state: str
    outcome: str
    issued_at: str
    finished_at: str | None
    minutes: int | None
    blocks: list[AttemptBlock]
    voided_at: str | None
    voided_why: str


class Grant(TypedDict):
    """A qualification that somebody was given; `person`, `by` and `decided_by` are worker codes."""

    id: int
    person: str
    state: str
    origin: str
    reason: str
    by: str | None
    at: str
    giving: str
    decided_at: str | None
    decided_by: str | None
    decided_why: str
    undone: bool
