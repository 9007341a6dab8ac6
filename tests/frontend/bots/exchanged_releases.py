"""Readers of releases in the layouts of other tools, which name questions and no annotation of ours."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.frontend.bots.demo_releases import Made

FORMATS = ("label_studio", "doccano", "jsonl", "csv")
NOUNS = {"qasper": "paper", "squad": "paragraph"}
"""What questions are about, by protocol."""
MARKED = ("extractive", "span")
NONE = "unanswerable"


@dataclass
class AskedQuestion:
    """A question in a file: what it is about, and the marks of each answer, as the words at their places."""

    about: str
    answers: list[list[str]] = field(default_factory=list)


def annotations(made: Made, records: list[Any]) -> Iterator[tuple[str, str, list[str]]]:
    """(noun, name, ids of annotations) as `demo_releases.annotations` has them.

    There are as many answers as annotations of the question are frozen, and that of its writer; those with marks have
    as many marks.
    """
    found = questions(made.format, records)
    for about in {one.about for one in found.values()}:
        yield NOUNS[made.protocol], about, []
    for name, one in found.items():
        said, own = _frozen(made, name), _of_the_writer(made, name)
        if made.format == "doccano":
            # A line for an answer that marks nothing, and for a question that nobody has answered.
            one.answers = one.answers if said or own else []
            said = {key: payload for key, payload in said.items() if payload["kind"] in (*MARKED, NONE)}
        marks = [len(payload.get("spans", [1])) for payload in said.values() if payload["kind"] in MARKED]
        assert len(one.answers) == len(said) + len(own), name
        assert sorted(map(len, filter(None, one.answers))) == sorted(marks + [n for n in own if n]), name
        yield "question", name, list(said)


def questions(kind: str, records: list[Any]) -> dict[str, AskedQuestion]:
    """The questions of a file, by their ids."""
    found: dict[str, AskedQuestion] = {}
    for record in records:
        about = record["data"] if kind == "label_studio" else record
        text = about["text"]
        one = found.setdefault(about["item_id"], AskedQuestion(about["title"] + text))
        if kind == "label_studio":
            one.answers += [_words(text, _values(said["result"])) for said in record["annotations"]]
        elif kind == "doccano":
            one.answers.append([text[start:end] for start, end, _label in record["label"]])
        elif kind == "jsonl":
            one.answers += [_words(text, said.get("marks", []), "words") for said in record["answers"]]
        elif record["answer"]:
            one.answers += [[] for _ in range(int(record["answer"]) - len(one.answers))]
            if record["start"]:
                place = {"start": int(record["start"]), "end": int(record["end"]), "words": record["words"]}
                one.answers[-1] += _words(text, [place], "words")
    return found


def _values(results: list[Any]) -> list[Any]:
    return [result["value"] for result in results if result["type"] == "labels"]


def _words(text: str, places: list[Any], key: str = "text") -> list[str]:
    """The words at these places, which are those that the file has of them."""
    found = [text[place["start"] : place["end"]] for place in places]
    assert found == [place[key] for place in places]
    return found


def _frozen(made: Made, question: str) -> dict[str, dict[str, Any]]:
    """What each frozen annotation of a question says, by its id in the release."""
    rows = made.rows(
        "SELECT a.uuid, r.payload FROM annotation_item i JOIN annotation_annotation a ON a.item_id = i.id "
        "JOIN annotation_response r ON r.annotation_id = a.id WHERE i.external_id = ? ORDER BY r.id",
        question,
    )
    frozen = {one["uuid"].replace("-", ""): (name, one["responses"]) for name, one in made.members.items()}
    found: dict[str, dict[str, Any]] = {}
    seen: Counter[str] = Counter()
    for uuid, payload in rows:
        seen[uuid] += 1
        if uuid in frozen and seen[uuid] <= frozen[uuid][1]:
            found[frozen[uuid][0]] = json.loads(payload)
    return found


def _of_the_writer(made: Made, question: str) -> list[int]:
    """The number of marks of the answer that the question was written with; nothing if it was written without."""
    [(text,)] = made.rows("SELECT payload FROM annotation_item WHERE external_id = ?", question)
    payload = json.loads(text)
    if payload.get("is_impossible"):
        return [0]
    return [1] if payload.get("answer") else []
