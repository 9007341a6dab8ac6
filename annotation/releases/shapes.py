"""The shape of released records: which fields they have, of which types, with an example; as JSON Schema and as rows.

It is taken from the records as they are written, so that it says what is there. Of a long list the first elements are
looked at, since a page of tens of thousands of tokens has no other ones at its end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

LOOKED_AT = 100
"""Elements of a list."""
LONGEST = 60
"""Characters of a text that is given as an example."""
MOST = 200
"""Fields that are listed; an object with more different names is one whose names are data."""
NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


@dataclass
class Shape:
    """What was seen in one place of the records: types of JSON Schema, fields with how often, elements, an example."""

    types: set[str] = field(default_factory=set)
    objects: int = 0
    fields: dict[str, Shape] = field(default_factory=dict)
    there: Counter[str] = field(default_factory=Counter)
    elements: Shape | None = None
    example: str | int | float | None = None

    def add(self, value: Any) -> None:
        """Look at one value that JSON can express."""
        if isinstance(value, dict):
            self.types.add("object")
            self.objects += 1
            self.there.update(value.keys())
            for name, inner in value.items():
                self.fields.setdefault(name, Shape()).add(inner)
        elif isinstance(value, list | tuple):
            self.types.add("array")
            self.elements = self.elements or Shape()
            for inner in value[:LOOKED_AT]:
                self.elements.add(inner)
        else:
            self.types.add(NAMES[type(value)])
            if self.example in (None, ""):
                self.example = value

    def join(self, other: Shape) -> None:
        """Add what was seen elsewhere."""
        self.types |= other.types
        self.objects += other.objects
        self.there.update(other.there)
        for name, shape in other.fields.items():
            self.fields.setdefault(name, Shape()).join(shape)
        if other.elements is not None:
            self.elements = self.elements or Shape()
            self.elements.join(other.elements)
        if self.example in (None, ""):
            self.example = other.example

    @property
    def named_by_data(self) -> bool:
        """Whether the names of its fields are data themselves."""
        return len(self.fields) > MOST

    def schema(self) -> dict[str, Any]:
        """As JSON Schema; a field is required if every object had it."""
        types = sorted(self.types - ({"integer"} if "number" in self.types else set()))
        found: dict[str, Any] = {"type": types[0] if len(types) == 1 else types} if types else {}
        if "object" in types and self.named_by_data:
            found["additionalProperties"] = self._of_fields().schema()
        elif "object" in types:
            found["properties"] = {name: shape.schema() for name, shape in self.fields.items()}
            found["required"] = [name for name in self.fields if self.there[name] == self.objects]
        if self.elements is not None and self.elements.types:
            found["items"] = self.elements.schema()
        return found

    def rows(self, path: str = "") -> Iterator[dict[str, Any]]:
        """`name` (`annotations[].id`), `types` and `example` of every field that holds a value, in order."""
        inner = self.types & {"object", "array"}
        if self.types - inner or not inner:
            yield {"name": path, "types": sorted(self.types), "example": _short(self.example)}
        if self.named_by_data:
            yield from self._of_fields().rows(f"{path}.*" if path else "*")
        else:
            for name, shape in self.fields.items():
                yield from shape.rows(f"{path}.{name}" if path else name)
        if self.elements is not None:
            yield from self.elements.rows(f"{path}[]")

    def _of_fields(self) -> Shape:
        joined = Shape()
        for shape in self.fields.values():
            joined.join(shape)
        return joined


def fields_of_manifest(shape: Shape) -> list[dict[str, Any]]:
    """The rows of a manifest, at most MOST."""
    return [row for row, _n in zip(shape.rows(), range(MOST), strict=False)]


def _short(example: Any) -> Any:
    if isinstance(example, str) and len(example) > LONGEST:
        return example[: LONGEST - 1] + "…"
    return example
