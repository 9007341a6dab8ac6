"""Sheets as JSON and their JSON Schema, made from the dataclasses that the pages get."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from annotation.protocol import Stage
from annotation.values.sheets import Sheet


@lru_cache(maxsize=64)
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """Reads and writes the sheets of a subclass of Sheet."""
    return TypeAdapter(kind)


def sheet_as_json(sheet: Sheet) -> dict[str, Any]:
    """All fields of the sheet."""
    kind: Any = type(sheet)
    found: dict[str, Any] = adapter_of(kind).dump_python(sheet, mode="json")
    return found


def schemas_of(sheet: Sheet, stage: Stage) -> dict[str, Any]:
    """The JSON Schema of the sheet, and that of the answer to its step."""
    kind: Any = type(sheet)
    return {
        "sheet": adapter_of(kind).json_schema(mode="serialization"),
        "payload": stage.schema.json_schema(mode="validation"),
    }
