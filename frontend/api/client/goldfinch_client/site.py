"""A site of Goldfinch, as the person sees it whose token it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from goldfinch_client.calls import ApiCalls
from goldfinch_client.projects import LedProject
from goldfinch_client.shapes import Project
from goldfinch_client.work import HeldWork, OwnWork


class Goldfinch:
    """The site at `url`, called with a token."""

    def __init__(self, url: str, token: str, **options: Any) -> None:
        """`options`: `timeout` in seconds, and `sleep`, for tests."""
        self.calls = ApiCalls(url, token, **options)

    def projects(self) -> Iterator[Project]:
        """The projects in which the person has a role."""
        return self.calls.pages("projects/")

    def project(self, slug: str) -> LedProject:
        """A project that the person leads."""
        return LedProject(self.calls, slug)

    def work(self, slug: str, activity: str) -> OwnWork:
        """The person's own work at an activity of a project, where its leads allow scripts."""
        return OwnWork(self.calls, slug, activity)

    def held(self) -> Iterator[HeldWork]:
        """The work that the person holds now, in all projects that allow scripts."""
        for row in self.calls.get("work/")["results"]:
            yield HeldWork(self.calls, self.calls.get(f"work/{row['uuid']}/"))

    def finished(self) -> Iterator[dict[str, Any]]:
        """What the person has sent in these projects, with the answers that count."""
        return self.calls.pages("work/finished/")

    def offers(self) -> list[dict[str, Any]]:
        """What the person can do in these projects."""
        found: list[dict[str, Any]] = self.calls.get("work/offers/")["results"]
        return found
