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
