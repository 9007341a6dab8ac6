"""The OpenAPI schema as it is made, as it is committed, and what of a change would break clients.

`python -m tests.frontend.api.schemas` writes the committed one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COMMITTED = Path(__file__).parents[3] / "docs" / "openapi.json"
METHODS = ("get", "post", "put", "patch", "delete")


def made_schema() -> dict[str, Any]:
    """The schema of all addresses, as the site serves it."""
    from drf_spectacular.generators import SchemaGenerator

    return json.loads(json.dumps(SchemaGenerator().get_schema(public=True)))


def committed_schema() -> dict[str, Any]:
    """The one in the repository."""
    return json.loads(COMMITTED.read_text(encoding="utf-8"))


def breaking_changes(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    """What a client of the old schema would stumble over: what is gone, and what is required that was not."""
    for path, method, before in _operations(old):
        after = new["paths"].get(path, {}).get(method)
        if after is None:
            yield f"{method.upper()} {path} is gone"
            continue
        where = f"{method.upper()} {path}"
        yield from _parameters(where, before, after)
        yield from _bodies(where, before, after, old, new)
        for code in before["responses"].keys() - after["responses"].keys():
            yield f"{where}: the answer {code} is gone"


def _operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in schema["paths"].items():
        for method in methods.keys() & set(METHODS):
            yield path, method, methods[method]


def _parameters(where: str, before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    old, new = ({one["name"]: one for one in side.get("parameters", [])} for side in (before, after))
    for name in old.keys() - new.keys():
        yield f"{where}: the parameter {name} is gone"
    for name, one in new.items():
        if one.get("required") and not old.get(name, {}).get("required"):
            yield f"{where}: the parameter {name} is required now"


def _bodies(where: str, before: Any, after: Any, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    sent, sent_now = (_body(side.get("requestBody", {})) for side in (before, after))
    needed = set(_resolved(sent, old).get("required", ()))
    for name in set(_resolved(sent_now, new).get("required", ())) - needed:
        yield f"{where}: the field {name} has to be sent now"
    for code, answer in before["responses"].items():
        told, told_now = _body(answer), _body(after["responses"].get(code, {}))
        yield from _fields(f"{where} {code}", told, told_now, old, new, frozenset())


def _fields(
    where: str, told: Any, told_now: Any, old: dict[str, Any], new: dict[str, Any], seen: frozenset[str]
) -> Iterator[str]:
    """Fields of answers that are gone, or have another type, at any depth."""
    name = told.get("$ref", "")
    if name and name in seen:
        return
    told, told_now, seen = _resolved(told, old), _resolved(told_now, new), seen | {name}
    if "type" in told and told.get("type") != told_now.get("type"):
        yield f"{where} is {told_now.get('type')} now, not {told['type']}"
    for field, inner in told.get("properties", {}).items():
        now = told_now.get("properties", {}).get(field)
        if now is None:
            yield f"{where}: the field {field} is gone"
        else:
            yield from _fields(f"{where}.{field}", inner, now, old, new, seen)
    if isinstance(told.get("items"), dict):
        yield from _fields(f"{where}[]", told["items"], told_now.get("items", {}), old, new, seen)


def _body(side: dict[str, Any]) -> Any:
    return next(iter(side.get("content", {}).values()), {}).get("schema", {})


def _resolved(schema: Any, within: dict[str, Any]) -> Any:
    name = schema.get("$ref", "")
    return within["components"]["schemas"][name.rpartition("/")[2]] if name else schema


def written(schema: dict[str, Any]) -> str:
    """The schema as the file has it."""
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    import django

    django.setup()
    COMMITTED.write_text(written(made_schema()), encoding="utf-8")
