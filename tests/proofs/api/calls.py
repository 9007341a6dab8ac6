"""Calls of an operation: possible ones, ones that are nearly so, and ones that are made up from its schema."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from tests.proofs.api.places import Place, Sent, World

KINDS = ("possible", "nearly", "made up there", "made up")
ODD: list[Any] = [None, True, -1, 0, 2**31, 2**63, 1.5, "", " ", "x", "\x00", "\u202e", "é" * 300, "2026-02-30", [], {}]
"""What stands in place of one value of a call that is nearly possible."""
BODIES = {
    "send_part": "application/octet-stream",
    "change_setup": "application/yaml",
    "check_setup": "application/yaml",
}


@st.composite
def calls(draw: st.DrawFn, operation: Any, world: World) -> tuple[Any, str]:
    """A call, and the name of the token that reaches the place that it is about; the simplest is a possible one."""
    name = operation.definition.raw["operationId"]
    place: Place = draw(st.sampled_from(world.at(operation.path, name)))
    kind = draw(st.sampled_from(KINDS))
    if kind.startswith("made up"):
        case = draw(operation.as_strategy())
        if kind.endswith("there"):
            case.path_parameters = {**case.path_parameters, **_known(operation, place)}
        return case, place.token
    sent: Sent = draw(st.sampled_from(world.sent(name, place)))
    key = draw(st.none() | st.uuids().map(str))
    headers = sent.headers | ({"Idempotency-Key": key} if key else {})
    parameters = {"query": sent.query, "body": sent.body, "headers": headers}
    if kind == "nearly":
        parameters = draw(_odd(parameters))
    return _case(operation, name, place, parameters), place.token


def _case(operation: Any, name: str, place: Place, sent: dict[str, Any]) -> Any:
    body = {} if sent["body"] is None else {"body": sent["body"]}
    return operation.Case(
        path_parameters=_known(operation, place),
        query=sent["query"],
        headers={key: str(value) for key, value in sent["headers"].items()},
        media_type=BODIES.get(name, "application/json") if body else None,
        **body,
    )


def _known(operation: Any, place: Place) -> dict[str, Any]:
    return {key: str(value) for key, value in place.parameters.items() if f"{{{key}}}" in operation.path}


@st.composite
def _odd(draw: st.DrawFn, sent: dict[str, Any]) -> dict[str, Any]:
    """The same with one value replaced, if there is any."""
    places = [at for at in _leaves(sent) if at[0] != "headers"]
    if not places:
        return sent
    at, changed = draw(st.sampled_from(places)), copy.deepcopy(sent)
    within = changed
    for step in at[:-1]:
        within = within[step]
    value = draw(st.sampled_from(ODD) | _alike(within[at[-1]]))
    within[at[-1]] = str(value) if at[0] == "query" else value
    return changed


def _alike(value: Any) -> st.SearchStrategy[Any]:
    """Values of the same type, most of which are as possible."""
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, int):
        return st.integers(0, 2 * value + 2)
    return st.text(min_size=1, max_size=40) if isinstance(value, str) else st.just(value)


def _leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something can be replaced: at any depth, in a dict or list."""
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in rows:
        if at:
            yield (*at, key)
        yield from _leaves(inner, (*at, key))
