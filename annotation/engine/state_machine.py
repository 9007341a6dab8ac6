"""State machines: an enum, a table of transitions, and one function that makes a transition and writes its event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db import models, transaction

from annotation import events
from annotation.db.compiled import Param, PreparedUpdate
from annotation.errors import WrongMove

State = TypeVar("State", bound=str)


def move(
    row: models.Model,
    to: State,
    *,
    moves: Mapping[State, frozenset[State]],
    by: Any,
    now: Any,
    data: dict[str, Any] | None = None,
    **also: Any,
) -> None:
    """Compare-and-swap `row.state` to `to`, setting the columns in `also` with it, and write the event, or neither.

    WrongMove if the table has no such transition, or if the row has been moved since it was read.
    """
    before = row.serializable_value("state")
    if to not in moves.get(before, frozenset()):
        raise WrongMove(f"{type(row).__name__} can't go from {before} to {to}.", reason=f"{before}>{to}")
    # No savepoint where there is a transaction already: work moves often, and nothing in here is caught by callers.
    with transaction.atomic(savepoint=False):
        moved = _moved(type(row), *also, row=row.pk, state=to, before=before, **also)
        if moved:
            for name, value in {"state": to, **also}.items():
                setattr(row, name, value)
            events.record(f"{type(row).__name__.lower()}.{to}", row, by=by, now=now, **(data or {}))
    if not moved:
        raise WrongMove(f"{type(row).__name__} has just been changed by someone else.", reason=f"{before}>{to}")


@PreparedUpdate
def _moved(model: type[models.Model], *also: str) -> tuple[models.QuerySet[models.Model], dict[str, Param]]:
    columns = {column.name: column for column in model._meta.concrete_fields}
    found = {name: Param(name, columns[name]) for name in ("state", *also)}
    rows = model._default_manager.filter(pk=Param("row"), state=Param("before", columns["state"]))
    return rows, found


def mermaid(name: str, moves: Mapping[State, frozenset[State]]) -> str:
    """The Mermaid diagram of one machine, for docs/states.md."""
    lines = [f"stateDiagram-v2\n    %% {name}"]
    for before in moves:
        lines += [f"    {before} --> {after}" for after in sorted(moves[before])]
    return "\n".join(lines)
