"""Annotators’ scripts: they know of their work only what the API tells, and answer from the sheet’s JSON alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.http import HttpResponse
from pydantic import TypeAdapter

from annotation import randomness, registry
from annotation.models import Project, User
from annotation.values.sheets import Sheet
from tests.frontend.api.callers import Caller, working


def by_script(project: Project, *, may: bool = True) -> Project:
    """The project, where people may work by script, or no longer may."""
    project.config = project.config | {"work_by_script": may}
    project.save(update_fields=["config"])
    return project


def sheet_of(protocol: str, shown: dict[str, Any]) -> Sheet:
    """The sheet that a step shows, from its JSON."""
    kinds = {kind.__name__: kind for kind in _subclasses(Sheet) if f".{protocol}." in kind.__module__}
    found: Sheet = TypeAdapter(kinds[shown["sheet_type"]]).validate_python(shown["sheet"], strict=False)
    return found


def _subclasses(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from _subclasses(each)


@dataclass
class Script:
    """Somebody’s script, which answers as the protocol’s bots pretend to."""

    user: User
    project: Project
    rng: Random = field(default_factory=lambda: Random(1))

    def __post_init__(self) -> None:
        self.caller: Caller = working(self.user)
        self.pretend = registry.get(self.project.protocol).bots.pretend

    def post(self, address: str, body: Any = None, **headers: str) -> HttpResponse:
        """What POST answers."""
        return self.caller.post(address, {} if body is None else body, **headers)

    def claim(self, activity: str, **said: str) -> dict[str, Any] | None:
        """The work, or None."""
        response = self.post(f"projects/{self.project.slug}/work/{activity}/claim/", said)
        assert response.status_code == 200, response.content
        return response.json()["work"]

    def read(self, uuid: str) -> dict[str, Any]:
        """The work as it is now."""
        return self.caller.get(f"work/{uuid}/").json()

    def send(self, work: dict[str, Any], payload: dict[str, Any] | None = None, **more: Any) -> HttpResponse:
        """Answer the step to be answered now, with a plausible payload."""
        shown = work["step"]
        payload = self.answer_to(shown) if payload is None else payload
        body = {"payload": payload, "version": shown["version"], "key": str(randomness.handle())} | more
        return self.post(f"work/{work['uuid']}/steps/{shown['step']}/", body)

    def answer_to(self, shown: dict[str, Any]) -> dict[str, Any]:
        """A plausible payload for a step, from what it shows."""
        found: dict[str, Any] = self.pretend(sheet_of(self.project.protocol, shown), self.rng)
        return found

    def finish(self, work: dict[str, Any]) -> dict[str, Any]:
        """Answer step by step to the end; what became of the last answer."""
        while True:
            response = self.send(work)
            assert response.status_code == 200, response.content
            done = response.json()
            work = done["work"]
            if work["state"] != "leased":
                return done
