"""Readers of the demo's releases that use nothing of the product. What is true is read from its tables in SQL."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq


@cache
def connected(database: Path) -> sqlite3.Connection:
    """One connection for all questions: reading the schema of a hundred tables takes longer than most of them."""
    return sqlite3.connect(database)


@cache
def told(database: Path, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """What the database says, which nothing changes any more: most is asked anew for each release."""
    return connected(database).execute(query, values).fetchall()


@dataclass(frozen=True, eq=False)
class Made:
    """A release of a demo project: its folder, and the database that it was made from (a SQLite file).

    `which`: the demo's `own`, the `first` or `second` of everything in a format, of what was said `until` the demo's
    own, or `named`: with whoever wrote an item. `inside`: the ids of annotations inside the site, by their uuids.
    """

    which: str
    protocol: str
    format: str
    folder: Path
    database: Path
    inside: dict[str, str] = field(repr=False)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        return json.loads((self.folder / "manifest.json").read_text())

    @cached_property
    def card(self) -> str:
        return (self.folder / "README.md").read_text()

    @cached_property
    def given_out(self) -> list[str]:
        """The names of the files that are given out."""
        return [line[66:] for line in (self.folder / "SHA256SUMS").read_text().splitlines()]

    @cached_property
    def members(self) -> dict[str, dict[str, Any]]:
        """The frozen annotations, which stay at the site, by their ids in the release."""
        rows = [json.loads(line) for line in (self.folder / "members.jsonl").read_text().splitlines()]
        return {one["id_hex"]: one for row in each(rows, "children") for one in row["annotations"]}

    def data(self) -> Iterator[tuple[str, list[Any]]]:
        """(split, records) of each data file."""
        for entry in self.manifest["files"]:
            yield entry["split"], read(self.folder / entry["name"])

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the database says."""
        return told(self.database, query, *values)


@cache
def read(path: Path) -> list[Any]:
    """The records of a file, which several tests look at; of a JSON object without `data` its values."""
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if ".csv" in path.name:
        return list(csv.DictReader(io.StringIO(text.decode("utf-8-sig"), newline="")))
    if ".jsonl" in path.name or text.startswith(b'{"question_id"'):  # a question on each line, as DuReader's files
        return [json.loads(line) for line in text.split(b"\n") if line]
    found = json.loads(text)
    if isinstance(found, list):
        return found
    return found["data"] if "data" in found else list(found.values())


def each(rows: list[Any], below: str) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield row
        yield from each(row[below], below)


def annotations(made: Made) -> Iterator[tuple[str, str, str, list[str]]]:
    """(split, noun, name of the item, ids in the release of its annotations) of each item in the files."""
    published = {"nq": _nq, "qasper": _qasper, "coqa": _coqa, "squad": _squad, "dureader": _dureader}
    rows = published | {"nq": _nq_rows, "squad": _squad_rows}
    reader = (rows if made.format == "huggingface" else published)[made.protocol]
    for split, records in made.data():
        for entry in (_provenance if made.format == "provenance" else reader)(made, records):
            yield (split, *entry)


def _provenance(made: Made, records: list[Any]) -> Iterator[tuple[str, str, list[str]]]:
    for one in each(records, "items"):
        noun = "question" if one["kind"] == "example" else one["kind"]
        yield noun, one["id"], [annotation["id"] for annotation in one["annotations"]]


def _nq(made: Made, records: list[Any]) -> Iterator[tuple[str, str, list[str]]]:
    numbers = {one["id64"]: name for name, one in made.members.items()}
    for one in records:
        said = [numbers[annotation["annotation_id"]] for annotation in one["annotations"]]
        yield "question", str(one["example_id"]), said


def _nq_rows(made: Made, records: list[Any]) -> Iterator[tuple[str, str, list[str]]]:
    numbers = {str(one["id64"]): name for name, one in made.members.items()}
    for one in records:
        yield "question", one["id"], [numbers[number] for number in one["annotations"]["id"]]


def _qasper(made: Made, records: list[Any]) -> Iterator[tuple[str, str, list[str]]]:
    for paper in records:
        yield "paper", paper["title"], []
        for one in paper["qas"]:
            yield "question", one["question_id"], [said["annotation_id"] for said in one["answers"]]


def _coqa(made: Made, records: list[Any]) -> Iterator[tuple[str, str, list[str]]]:
    """The games of a conversation are not named: they are those of the item that was made from it."""
    talks: dict[str, list[str]] = defaultdict(list)
    uuids = {one["uuid"].replace("-", ""): name for name, one in made.members.items()}
    for one in records:
        talks[one["story"]].append(one["id"])
    for story, names in talks.items():
        yield "passage", story, names
    for one in records:
        games = made.rows(
            "SELECT g.uuid FROM annotation_annotation t JOIN annotation_item i ON i.made_from_id = t.id "
            "JOIN annotation_annotation g ON g.item_id = i.id WHERE t.uuid = ?",
            made.members[one["id"]]["uuid"].replace("-", ""),
        )
        played = [uuids[uuid] for (uuid,) in games if uuid in uuids]
        assert len(played) == len(one.get("additional_answers") or ())
        yield "conversation", "", played


def _squad(made: Made, records: list[Any]) -> Iterator[tuple[str, str, list[str]]]:
    for article in records:
        for paragraph in article["paragraphs"]:
            yield "paragraph", paragraph["context"], []
            for one in paragraph["qas"]:
                yield "question", one["id"], _answers(made, one["id"], impossible=one.get("is_impossible", False))


def _squad_rows(made: Made, records: list[Any]) -> Iterator[tuple[str, str, list[str]]]:
    for context in {one["context"] for one in records}:
        yield "paragraph", context, []
    for one in records:
        yield "question", one["id"], _answers(made, one["id"], impossible=not one["answers"]["text"])


def _dureader(made: Made, records: list[Any]) -> Iterator[tuple[str, str, list[str]]]:
    """DuReader names no annotation: those of the question that are frozen."""
    frozen = {one["uuid"].replace("-", ""): name for name, one in made.members.items()}
    for one in records:
        name = str(one["question_id"])
        said = made.rows(
            "SELECT a.uuid FROM annotation_item i JOIN annotation_annotation a ON a.item_id = i.id "
            "WHERE i.external_id = ? ORDER BY a.id", name,
        )  # fmt: skip
        yield "question", name, [frozen[uuid] for (uuid,) in said if uuid in frozen]


def _answers(made: Made, question: str, *, impossible: bool) -> list[str]:
    """SQuAD names no annotation: those who marked an answer, or those who found none where it is impossible."""
    said = made.rows(
        "SELECT a.uuid, r.payload FROM annotation_item i JOIN annotation_annotation a ON a.item_id = i.id "
        "JOIN annotation_response r ON r.annotation_id = a.id WHERE i.external_id = ? ORDER BY r.id",
        question,
    )
    kinds: dict[str, list[str]] = defaultdict(list)
    for uuid, payload in said:
        kinds[uuid].append(json.loads(payload)["kind"])
    frozen = {one["uuid"].replace("-", ""): (name, one["responses"]) for name, one in made.members.items()}
    return [
        frozen[uuid][0]
        for uuid, each in kinds.items()
        if uuid in frozen and (each[frozen[uuid][1] - 1] == "unanswerable") == impossible
    ]


def seconds(made: Made, uuid: str, answers: int | None = None) -> int | None:
    """Seconds of active and reading time on an annotation until its last answer that counts; None: not measured."""
    said = made.rows(
        "SELECT r.created_at FROM annotation_response r JOIN annotation_annotation a ON a.id = r.annotation_id "
        "WHERE a.uuid = ? ORDER BY r.id", uuid,
    )  # fmt: skip
    until = datetime.fromisoformat(said[:answers][-1][0])
    spans = made.rows(
        "SELECT s.begun_at, s.seconds FROM annotation_timespan s JOIN annotation_annotation a "
        "ON a.id = s.annotation_id WHERE a.uuid = ? AND s.kind IN ('active', 'reading')", uuid,
    )  # fmt: skip
    counted = [round(length * 1000) for begun, length in spans if datetime.fromisoformat(begun) <= until]
    return round(sum(counted) / 1000) if counted else None


def table(card: str, title: str) -> list[list[str]]:
    """The rows of the table below a heading."""
    part = card.split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("|")]
    return rows[2:]


def numbers(text: str) -> list[int]:
    """The whole numbers in a sentence."""
    return [int(found.replace(",", "")) for found in re.findall(r"(?<![\d.,])\d[\d,]*(?!\.?\d)", text)]


def overlap(counts: dict[str, Counter[int]]) -> str:
    """Items by number of annotations, as the card has it: of the kinds of item that have any."""
    kinds = {noun: found for noun, found in counts.items() if any(found)} or dict([list(counts.items())[-1]])
    parts = {noun: ", ".join(f"{n}: {found[n]}" for n in sorted(found)) for noun, found in kinds.items()}
    return (
        next(iter(parts.values())) if len(parts) == 1 else "; ".join(f"{noun}s {each}" for noun, each in parts.items())
    )
