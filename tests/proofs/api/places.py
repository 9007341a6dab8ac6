"""Places of the API that exist, whose tokens reach them, and calls that are possible there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from annotation import clock
from annotation.models import Project, User
from qualification import api_tokens
from qualification.models import TokenScope


@dataclass(frozen=True)
class Sent:
    """What a call sends besides its address."""

    body: Any = None
    query: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """Something that addresses below `path` are about: their parameters, and the name of a token that reaches it.

    `calls`: what is possible to send here, by operation, where it is not the same everywhere.
    """

    path: str
    token: str
    parameters: dict[str, Any] = field(default_factory=dict)
    calls: dict[str, list[Sent]] = field(default_factory=dict)


class World:
    """Tokens (secrets) by name, places, and what is possible to send, by operation."""

    def __init__(self) -> None:
        self.tokens: dict[str, str] = {}
        self.calls: dict[str, list[Sent]] = {}
        self._places: list[Place] = []

    def add(self, path: str, token: str, calls: dict[str, list[Sent]] | None = None, **parameters: Any) -> None:
        """Add a place."""
        self._places.append(Place(path, token, parameters, calls or {}))

    def give(self, name: str, user: User, scope: TokenScope, project: Project | None = None) -> None:
        """Make a token."""
        made = api_tokens.make(user, name=name, scope=scope, project=project, days=1, now=clock.now())
        self.tokens[name] = made[1]

    def at(self, path: str, operation: str) -> list[Place]:
        """The places that an address is about: those of the longest path, and of these those that know the operation.

        Of an operation that no place knows, all of them.
        """
        fitting = [place for place in self._places if path.startswith(place.path)]
        longest = max(len(place.path) for place in fitting)
        nearest = [place for place in fitting if len(place.path) == longest]
        return [place for place in nearest if operation in place.calls] or nearest

    def sent(self, operation: str, place: Place) -> list[Sent]:
        """What is possible to send there."""
        return place.calls.get(operation) or self.calls.get(operation) or [Sent()]
