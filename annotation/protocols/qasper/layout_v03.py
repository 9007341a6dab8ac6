"""Reads papers in the QASPER layout, v0.1 to v0.3; questions, answers, figures and tables are optional."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha1
from typing import Any

import orjson

from annotation.documents.words import says_something
from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused, need
from annotation.parsing.incoming import IncomingAnnotation, IncomingItem
from annotation.protocols.qasper import oddities
from annotation.protocols.qasper.papers import OURS
from annotation.protocols.qasper.schemas import PublishedAnswer, Question

PAPER_KEYS = ("title", "abstract", "full_text", "qas", "figures_and_tables")
QUESTION_KEYS = (
    "question",
    "question_id",
    "nlp_background",
    "topic_background",
    "paper_read",
    "search_query",
    "question_writer",
    "answers",
)
WRITER_FIELDS = ("nlp_background", "topic_background", "paper_read", "search_query")
ANSWER_KEYS = ("unanswerable", "extractive_spans", "yes_no", "free_form_answer", "evidence", "highlighted_evidence")
LONGEST_ID = 200


@dataclass(frozen=True)
class PaperRecord:
    """A paper of a file: its document as JSON, its questions, and the keys that it lacks."""

    paper_id: str
    document: dict[str, Any]
    questions: tuple[dict[str, Any], ...] = ()
    absent: tuple[str, ...] = ()


def looks_like(record: Any) -> bool:
    """Whether a value of the file appears to be a paper in this layout."""
    return isinstance(record, dict) and ("full_text" in record or {"title", "abstract"} <= record.keys())


def read_paper(paper_id: str, record: Any) -> PaperRecord:
    """The paper with that id, or LineRefused. Its document has every key except `qas`, unchanged."""
    fields.typed(record, dict, "")
    if not paper_id.strip() or len(paper_id) > LONGEST_ID:
        raise LineRefused("", f"The paper's id is empty or longer than {LONGEST_ID} characters.")
    if OURS in record:
        raise LineRefused(OURS, "A paper can't have this field.")
    document: dict[str, Any] = {"title": need(record, "title", str, longest=MAX_SHORT)}
    document["abstract"] = need(record, "abstract", str)
    document["full_text"] = [_section(entry, place) for place, entry in enumerate(need(record, "full_text", list))]
    if "figures_and_tables" in record:
        entries = need(record, "figures_and_tables", list)
        document["figures_and_tables"] = [_float(entry, place) for place, entry in enumerate(entries)]
    document |= fields.unknown(record, PAPER_KEYS)
    questions = need(record, "qas", list) if "qas" in record else []
    for place, question in enumerate(questions):
        fields.typed(question, dict, f"qas[{place}]")
    return PaperRecord(paper_id, document, tuple(questions), () if "qas" in record else ("qas",))


def _section(raw: Any, place: int) -> dict[str, Any]:
    """The section, checked and unchanged; its name may be null or missing, its list of paragraphs empty."""
    name = f"full_text[{place}]"
    entry = fields.typed(raw, dict, name)
    if entry.get("section_name") is not None:
        need(entry, "section_name", str, name)
    for index, paragraph in enumerate(need(entry, "paragraphs", list, name)):
        fields.typed(paragraph, str, f"{name}.paragraphs[{index}]")
    fields.unknown(entry, ("section_name", "paragraphs"), name)
    return entry


def _float(raw: Any, place: int) -> dict[str, Any]:
    """The figure or table, checked and unchanged; file and caption may be null or missing."""
    name = f"figures_and_tables[{place}]"
    entry = fields.typed(raw, dict, name)
    for key in ("file", "caption"):
        if entry.get(key) is not None:
            need(entry, key, str, name)
    fields.unknown(entry, ("file", "caption"), name)
    return entry


def read_questions(
    number: int, paper: PaperRecord, split: str, *, published: bool, used_ids: set[str]
) -> Iterator[IncomingItem]:
    """The paper's questions, with their answers if the file is a published one. Question ids must not be in `used_ids`,
    to which they are added.
    """
    same: Counter[str] = Counter()
    for place, record in enumerate(paper.questions):
        name = f"qas[{place}]"
        text = need(record, "question", str, name, longest=MAX_SHORT)
        if not says_something(text) and not published:
            raise LineRefused(f"{name}.question", "The question is empty.")
        unnamed = "question_id" not in record and not published
        question_id = _derived_id(paper, text, same) if unnamed else _question_id(record, name)
        if question_id in used_ids:
            raise LineRefused(f"{name}.question_id", f"The id {question_id} occurs twice in the file.")
        used_ids.add(question_id)
        annotations = tuple(_answers(record, name)) if "answers" in record else ()
        if published:
            notes = tuple(oddities.of_answers(annotations, paper.document))
        else:
            notes = (f"{len(annotations)} answers were left out: use import_release for them.",) if annotations else ()
            annotations = ()
        yield IncomingItem(
            line=number,
            kind="question",
            external_id=question_id,
            split=split,
            payload=_payload(record, name, published=published),
            annotations=annotations,
            notes=tuple(f"Question {question_id}: {note}" for note in notes),
            parent=("paper", paper.paper_id),
            unnamed=unnamed,
        )


def _derived_id(paper: PaperRecord, text: str, same: Counter[str]) -> str:
    """The id of a raw question without one: a hash of what it asks, and of how often the paper asked it before."""
    same[text] += 1
    said = [paper.paper_id, text, same[text]]
    return sha1(orjson.dumps(said), usedforsecurity=False).hexdigest()


def _question_id(record: dict[str, Any], name: str) -> str:
    question_id = need(record, "question_id", str, name)
    if not question_id.strip() or len(question_id) > LONGEST_ID:
        raise LineRefused(f"{name}.question_id", f"The id is empty or longer than {LONGEST_ID} characters.")
    return question_id


def _payload(record: dict[str, Any], name: str, *, published: bool) -> dict[str, Any]:
    for key in (*WRITER_FIELDS, "question_writer"):
        if record.get(key) is not None:
            need(record, key, str, name)
    known = {key: record[key] for key in WRITER_FIELDS if key in record}
    extras = fields.unknown(record, QUESTION_KEYS, name)
    if "question_writer" in record:
        extras["question_writer"] = record["question_writer"]
    # A published question is released without the keys that it lacked; a raw one gets them.
    absent = tuple(key for key in QUESTION_KEYS if published and key not in record)
    payload = Question(question=record["question"], published=extras, absent=absent, **known)
    return payload.model_dump(mode="json", exclude_defaults=True)


def _answers(record: dict[str, Any], name: str) -> Iterator[IncomingAnnotation]:
    seen, workers = set(), set()
    for place, raw in enumerate(need(record, "answers", list, name)):
        where = f"{name}.answers[{place}]"
        fields.typed(raw, dict, where)
        annotation_id = need(raw, "annotation_id", str, where)
        if annotation_id in seen or not 0 < len(annotation_id) <= LONGEST_ID:
            raise LineRefused(f"{where}.annotation_id", "The id is repeated, empty or too long.")
        seen.add(annotation_id)
        worker = need(raw, "worker_id", str, where) if raw.get("worker_id") is not None else ""
        payload = _answer(need(raw, "answer", dict, where), f"{where}.answer")
        published = fields.unknown(raw, ("answer", "annotation_id"), where)
        yield IncomingAnnotation(
            external_id=annotation_id,
            activity="answer",
            responses=(("answer", "qasper.answer/published/1", payload | {"published": published}),),
            # A person has at most one answer to a question; a second one is kept without its worker.
            worker="" if worker in workers else worker,
        )
        workers.add(worker)


def _answer(raw: dict[str, Any], name: str) -> dict[str, Any]:
    yes_no = raw.get("yes_no")
    if "yes_no" not in raw:
        raise LineRefused(f"{name}.yes_no", "The field is missing.")
    highlighted = _texts(raw, "highlighted_evidence", name) if "highlighted_evidence" in raw else None
    answer = PublishedAnswer(
        unanswerable=need(raw, "unanswerable", bool, name),
        extractive_spans=_texts(raw, "extractive_spans", name),
        yes_no=None if yes_no is None else fields.typed(yes_no, bool, f"{name}.yes_no"),
        free_form_answer=need(raw, "free_form_answer", str, name),
        evidence=_texts(raw, "evidence", name),
        highlighted_evidence=highlighted,
        answer=fields.unknown(raw, ANSWER_KEYS, name),
    )
    return answer.model_dump(mode="json", exclude={"published"})


def _texts(raw: dict[str, Any], key: str, name: str) -> tuple[str, ...]:
    return tuple(
        fields.typed(value, str, f"{name}.{key}[{place}]") for place, value in enumerate(need(raw, key, list, name))
    )
