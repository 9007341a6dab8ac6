"""Trigger conditions that refuse malformed payloads in SQL: a payload has exactly the keys of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from annotation import registry


def shapes(schema: Any) -> tuple[str, dict[str, list[frozenset[str]]]] | None:
    """For a discriminated union: the discriminator's name, and value -> allowed key sets. None for other schemas."""
    core = schema.core_schema
    shared = {each["ref"]: each for each in core.get("definitions", ())}  # models that stand for several values
    while core["type"] in ("definitions", "function-wrap", "function-after", "function-before"):
        core = core["schema"]
    if core["type"] != "tagged-union":
        return None
    found: dict[str, list[frozenset[str]]] = {}
    for value, choice in core["choices"].items():
        choice = shared.get(choice.get("schema_ref"), choice)
        model = choice["cls"] if "cls" in choice else choice["schema"]["cls"]
        found[str(value)] = [frozenset(model.model_fields)]
    return str(core["discriminator"]), found


def conditions(vendor: str) -> Iterator[tuple[str, str]]:
    """(label, SQL condition that refuses an INSERT into Response), for every stage whose schema is a union."""
    for protocol in registry.all_protocols():
        seen = set()
        for activity in protocol.activities:
            for stage in activity.stages:
                shape = shapes(stage.schema)
                if shape is None or stage.schema_name in seen:
                    continue
                seen.add(stage.schema_name)
                label = re.sub(r"\W", "_", stage.schema_name)
                yield label, _refused(vendor, stage.schema_name, *shape)


def _refused(vendor: str, name: str, discriminator: str, kinds: dict[str, list[frozenset[str]]]) -> str:
    if vendor == "sqlite":
        kind = f"json_extract(NEW.payload, '$.{discriminator}')"
        keys = "(SELECT group_concat(key, ',') FROM (SELECT key FROM json_each(NEW.payload) ORDER BY key))"
    else:
        kind = f"(NEW.payload ->> '{discriminator}')"
        keys = "(SELECT string_agg(k, ',' ORDER BY k COLLATE \"C\") FROM jsonb_object_keys(NEW.payload) k)"
    allowed = " OR ".join(
        f"({kind} = '{value}' AND {keys} = '{','.join(sorted(keyset))}')"
        for value, keysets in sorted(kinds.items())
        for keyset in keysets
    )
    return f"NEW.schema = '{name}' AND NOT COALESCE({allowed}, {'0' if vendor == 'sqlite' else 'FALSE'})"
