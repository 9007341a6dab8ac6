"""A person's own work: claimed, read as a sheet, answered step by step."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from goldfinch_client.calls import ApiCalls, Refused

Answer = Mapping[str, Any]


class HeldWork:
    """A piece of work in hand; `state` is what the site last said of it."""

    def __init__(self, calls: ApiCalls, state: dict[str, Any]) -> None:
        self._calls, self.state = calls, state

    @property
    def path(self) -> str:
        """Its address below /api/v1/."""
        return f"work/{self.state['uuid']}/"

    @property
    def step(self) -> dict[str, Any] | None:
        """The step to answer now, with its `sheet`; None if a partner is to answer, or all is sent."""
        found: dict[str, Any] | None = self.state["step"]
        return found

    @property
    def is_waiting(self) -> bool:
        """Whether a partner is to answer."""
        return self.state["waiting"] is not None

    def refresh(self) -> HeldWork:
        """Read it as it is now; for shared work this also tells the partner that you are there."""
        self.state = self._calls.get(self.path)
        return self

    def schemas(self) -> dict[str, Any]:
        """The JSON Schemas of the sheet and the answer of the step to answer now."""
        found: dict[str, Any] = self._calls.get(f"{self.path}steps/{self._now()['step']}/schema/")
        return found

    def page(self) -> dict[str, Any]:
        """The imported page that the sheet shows."""
        found: dict[str, Any] = self._calls.get(f"{self.path}steps/{self._now()['step']}/page/")
        return found

    def commit(self, payload: Answer) -> dict[str, Any]:
        """Send the answer to the step; sent again after a lost connection, it counts once. Refused."""
        step = self._now()
        said = {"payload": payload, "version": step["version"], "key": str(uuid.uuid4())}
        found: dict[str, Any] = self._calls.send("POST", f"{self.path}steps/{step['step']}/", said)
        self.state = found["work"]
        return found

    def replace(self, step: Mapping[str, Any], payload: Answer) -> dict[str, Any]:
        """Have a second answer to a step count, after all was sent; `step` as it was before. Refused if it may not."""
        path = f"{self.path}steps/{step['step']}/"
        said = {"payload": payload, "version": step["version"], "key": str(uuid.uuid4())}
        try:
            found: dict[str, Any] = self._calls.send("POST", path, said)
        except Refused as refused:
            version = refused.now.get("replace")
            if version is None:
                raise
            again = said | {"version": version, "key": str(uuid.uuid4())}
            found = self._calls.send("POST", f"{path}replace/", again)
        self.state = found["work"]
        return found

    def reconsider(self, step: str, text: str) -> None:
        """Tell a lead what one would say now at a sealed step."""
        self._calls.send("POST", f"{self.path}steps/{step}/reconsider/", {"text": text})

    def find_quote(self, text: str) -> list[dict[str, Any]]:
        """Where a quote occurs in what the step to answer now shows."""
        found = self._calls.get(f"{self.path}steps/{self._now()['step']}/quote/", text=text)
        matches: list[dict[str, Any]] = found["matches"]
        return matches

    def chat(self, after: int = 0) -> list[dict[str, Any]]:
        """The messages of the side chat of a pair after that number."""
        found: list[dict[str, Any]] = self._calls.get(f"{self.path}chat/", after=after)["results"]
        return found

    def say(self, text: str, *, to_lead: bool = False, after: int = 0) -> list[dict[str, Any]]:
        """Write into the side chat; returns the messages after that number."""
        said = {"text": text, "to_lead": to_lead, "after": after}
        found: list[dict[str, Any]] = self._calls.send("POST", f"{self.path}chat/", said)["results"]
        return found

    def skip(self, reason: str, text: str = "") -> None:
        """Leave it to others: hard, topic, language, sensitive, broken or other."""
        self._calls.send("POST", f"{self.path}skip/", {"reason": reason, "text": text})

    def give_back(self) -> None:
        """Stop; what was saved stays with you for a day."""
        self._calls.send("POST", f"{self.path}return/")

    def _now(self) -> dict[str, Any]:
        if self.step is None:
            raise LookupError("There is no step to answer.")
        return self.step


class OwnWork:
    """The work of an activity that the person is given."""

    def __init__(self, calls: ApiCalls, slug: str, activity: str) -> None:
        self._calls, self._path = calls, f"projects/{slug}/work/{activity}/"
        self.why_none: dict[str, Any] | None = None

    def claim(self) -> HeldWork | None:
        """What is in hand, or else the next; None if there is none, and `why_none` says why."""
        found = self._calls.send("POST", f"{self._path}claim/")
        self.why_none = found["why_none"]
        return HeldWork(self._calls, found["work"]) if found["work"] else None

    def answer_all(self, answer: Callable[[dict[str, Any]], Answer]) -> int:
        """Answer every step of all work that there is: `answer` gets each step. Returns the pieces of work finished."""
        finished = 0
        while (work := self.claim()) is not None:
            while work.step is not None:
                work.commit(answer(work.step))
            finished += 1
        return finished
