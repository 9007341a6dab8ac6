"""Descriptions of a release for machines, beside its data: a JSON Schema of a record, and Croissant (JSON-LD).

Both say the shape of the records: which fields they have, of which types, with an example. It is taken from the records
as they are written, so that it says what is there. Of a long list the first elements are looked at, and fewer where
many were seen before: a page of tens of thousands of tokens has no other ones at its end, nor has the next page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

import orjson

from annotation.parsing import csv_cells
from annotation.parsing.envelopes import Envelope
from annotation.protocol import Format
from annotation.releases.card_texts import Manifest, authors_of, languages_of, texts_of

LOOKED_AT, THEN = 100, 10
"""Elements of a list that are looked at, and of each longer one after so many were seen in its place."""
LONGEST = 60
"""Characters of a text that is given as an example."""
MOST = 200
"""Fields that are listed; an object with more different names is one whose names are data."""
NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


@dataclass(slots=True)
class Shape:
    """What was seen in one place of the records: types of JSON Schema, fields with how often, elements, an example.

    `seen`: how many elements of lists were looked at.
    """

    types: set[str] = field(default_factory=set)
    objects: int = 0
    fields: dict[str, Shape] = field(default_factory=dict)
    there: dict[str, int] = field(default_factory=dict)
    elements: Shape | None = None
    seen: int = 0
    example: str | int | float | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it as its fields, in half the time: a forked process sends one with every few records."""
        return Shape, (
            self.types, self.objects, self.fields, self.there, self.elements, self.seen, self.example,
        )  # fmt: skip

    def add(self, values: Sequence[Any]) -> None:
        """Look at values that JSON can express, in order; many at a time, since a page has thousands of tokens."""
        kinds = set(map(type, values))
        if kinds <= NAMES.keys():
            self._add_plain(values, kinds)
        elif kinds == {dict}:
            self._add_objects(values)
        else:
            for kind, run in groupby(values, key=type):
                self._add_alike(list(run), kind)

    def _add_alike(self, values: Sequence[Any], kind: type) -> None:
        if issubclass(kind, dict):
            self._add_objects(values)
        elif issubclass(kind, list | tuple):
            self._add_lists(values)
        else:
            self._add_plain(values, {kind})

    def _add_objects(self, objects: Sequence[dict[str, Any]]) -> None:
        self.types.add("object")
        self.objects += len(objects)
        for name, values in _columns(objects):
            self.there[name] = self.there.get(name, 0) + len(values)
            if name not in self.fields:
                self.fields[name] = Shape()
            self.fields[name].add(values)

    def _add_lists(self, lists: Iterable[Sequence[Any]]) -> None:
        self.types.add("array")
        self.elements = self.elements or Shape()
        looked_at: list[Any] = []
        for each in lists:
            like_others = len(each) > LOOKED_AT <= self.seen + len(looked_at)
            looked_at += each[: THEN if like_others else LOOKED_AT]
        self.seen += len(looked_at)
        self.elements.add(looked_at)

    def _add_plain(self, values: Sequence[Any], kinds: set[type]) -> None:
        self.types.update(NAMES[kind] for kind in kinds)
        for value in values:
            if self.example not in (None, ""):
                break
            self.example = value

    def join(self, other: Shape) -> None:
        """Add what was seen elsewhere."""
        self.types |= other.types
        self.objects += other.objects
        for name, times in other.there.items():
            self.there[name] = self.there.get(name, 0) + times
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


def _columns(objects: Sequence[dict[str, Any]]) -> Iterable[tuple[str, Sequence[Any]]]:
    """The values of each field, in order; where objects have different fields, of each run that has the same."""
    names = tuple(objects[0])
    if set(map(len, objects)) == {len(names)}:
        with suppress(KeyError):
            return [(name, list(map(itemgetter(name), objects))) for name in names]
    runs = ((names, list(run)) for names, run in groupby(objects, key=tuple))
    return ((name, [each[name] for each in run]) for names, run in runs for name in names)


def fields_of_manifest(shape: Shape) -> list[dict[str, Any]]:
    """The rows of a manifest, at most MOST."""
    return [row for row, _n in zip(shape.rows(), range(MOST), strict=False)]


def _short(example: Any) -> Any:
    if isinstance(example, str) and len(example) > LONGEST:
        return example[: LONGEST - 1] + "…"
    return example


SCHEMA, CROISSANT = "schema.json", "croissant.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
_CR = (
    "citeAs", "column", "extract", "field", "fileProperty", "fileObject", "fileSet", "format", "includes",
    "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated",
    "replace", "separator", "source", "subField", "transform",
)  # fmt: skip
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{name: f"cr:{name}" for name in _CR},
}
"""That of the specification of Croissant 1.0."""
DATA_TYPES = {"string": "sc:Text", "integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean"}
ENCODINGS = {
    "csv": csv_cells.MEDIA_TYPE,
    "gz": "application/gzip",
    "json": "application/json",
    "jsonl": "application/jsonlines",
    "parquet": "application/x-parquet",
}


def schema_text(shape: Shape, manifest: Manifest, release_format: Format) -> bytes:
    """The JSON Schema of one record, with what a record is."""
    found = {
        "$schema": DIALECT,
        "title": f"{manifest['measured']['title']}, release {manifest['version']}: a record",
        "description": f"{_record(release_format)} Taken from the records of this release.",
        **shape.schema(),
    }
    return orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n"


def _record(release_format: Format) -> str:
    if isinstance(release_format.container, Envelope):
        return f"A record is an element of the list “{release_format.container.records}” of a file."
    if release_format.container == "array":
        return "A record is an element of the array in a file."
    if release_format.container == "object":
        return "A record is a value of the object in a file, under the id of its item."
    return (
        "A record is a row of a table."
        if release_format.pattern.endswith((".parquet", ".csv"))
        else "A record is a line."
    )


def croissant_text(shape: Shape, manifest: Manifest, release_format: Format) -> bytes:
    """The Croissant description: files with their hashes, and the fields of the records in each."""
    about, texts = manifest["measured"], texts_of(manifest)
    found: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": about["title"],
        "description": texts.get("description") or f"{about['title']}, made under the protocol {about['protocol']}.",
        "version": f"{manifest['version']}.0.0",
        "datePublished": about["frozen"],
        "license": texts.get("licence") or sorted(filter(None, about["licences"])),
        "citeAs": texts.get("citation", ""),
        "inLanguage": languages_of(manifest),
        "creator": [{"@type": "sc:Person", "name": name} for name in authors_of(manifest)],
        "distribution": [_file(entry) for entry in manifest["files"]],
        "recordSet": [_record_set(shape, entry["name"], release_format) for entry in manifest["files"]],
    }
    return orjson.dumps({key: value for key, value in found.items() if value}, option=orjson.OPT_INDENT_2) + b"\n"


def _file(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": entry["name"],
        "name": entry["name"],
        "contentUrl": entry["name"],
        "contentSize": f"{entry['bytes']} B",
        "encodingFormat": ENCODINGS[entry["name"].rpartition(".")[2]],
        "sha256": entry["sha256"],
    }


def _record_set(shape: Shape, file: str, release_format: Format) -> dict[str, Any]:
    name = f"records of {file}"
    fields = [_field(name, file, (key,), inner, release_format) for key, inner in shape.fields.items()]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields}


def _field(parent: str, file: str, path: tuple[str, ...], shape: Shape, release_format: Format) -> dict[str, Any]:
    """A field with those in it; each says from where in the file it comes."""
    name, repeated = f"{parent}/{path[-1].removesuffix('[*]')}", False
    while shape.elements is not None and "array" in shape.types:
        shape, repeated, path = shape.elements, True, (*path[:-1], f"{path[-1]}[*]")
    found: dict[str, Any] = {"@type": "cr:Field", "@id": name, "name": name}
    if kinds := list(_kinds(shape)):
        found["dataType"] = kinds[0]
    if repeated:
        found["repeated"] = True
    found["source"] = {"fileObject": {"@id": file}} | _extract(path, release_format)
    if shape.fields and not shape.named_by_data:
        found["subField"] = [
            _field(name, file, (*path, key), inner, release_format) for key, inner in shape.fields.items()
        ]
    return found


def _kinds(shape: Shape) -> Iterator[str]:
    """The data types of a value; of a whole number that is also written with a point, that of numbers."""
    order = ("string", "number", "integer", "boolean")
    yield from (DATA_TYPES[each] for each in order if each in shape.types)


def _extract(path: tuple[str, ...], release_format: Format) -> dict[str, Any]:
    if isinstance(release_format.container, Envelope):
        return {"extract": {"jsonPath": ".".join((f"$.{release_format.container.records}[*]", *path))}}
    if release_format.container == "array":
        return {"extract": {"jsonPath": ".".join(("$[*]", *path))}}
    if release_format.container == "object":
        return {"extract": {"jsonPath": ".".join(("$.*", *path))}}
    column = {"extract": {"column": path[0].replace("[*]", "")}}
    rest = path[0][len(column["extract"]["column"]) :] + "".join(f".{each}" for each in path[1:])
    return column | ({"transform": {"jsonPath": f"${rest}"}} if rest else {})
