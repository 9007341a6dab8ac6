"""Describes, for the import report, what imported papers and answers have that would be refused in our own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.parsing.incoming import IncomingAnnotation
from annotation.parsing.whole_files import quoted_beginning
from annotation.protocols.qasper.paper_tables import parse_table
from annotation.protocols.qasper.papers import FLOAT


def of_paper(document: Mapping[str, Any]) -> Iterator[str]:
    """What may confuse a reader or the scorer. A section without a name or without text is normal."""
    if not document["abstract"].strip():
        yield "There is no abstract, so no one can ask about this paper."
    paragraphs = list(_paragraphs(document))
    if not any(paragraph.strip() for paragraph in paragraphs):
        yield "The paper has no text."
    for text, times in Counter(filter(str.strip, paragraphs)).items():
        if times > 1:
            yield f"The paragraph {quoted_beginning(text)} occurs {times} times; the scorer can't tell them apart."
    for place, entry in enumerate(document.get("figures_and_tables", ())):
        if not (entry.get("caption") or "").strip():
            yield f"Figure or table {place + 1} has no caption."
        content = entry.get("content")
        if isinstance(content, str) and content and not parse_table(content):
            yield f"The cells of figure or table {place + 1} can't be shown; its caption is shown instead."


def of_answers(annotations: Iterable[IncomingAnnotation], document: Mapping[str, Any]) -> Iterator[str]:
    """One sentence for each problem that `rules.check` would refuse."""
    paragraphs = list(_paragraphs(document))
    whole = set(paragraphs)
    whole |= {FLOAT + (entry.get("caption") or "") for entry in document.get("figures_and_tables", ())}
    workers: set[str] = set()
    for annotation in annotations:
        (response,) = annotation.responses
        payload = response[2]
        for sentence in _of_one(payload, paragraphs, whole):
            yield f"Answer {annotation.external_id}: {sentence}"
        worker = payload["published"].get("worker_id") or ""
        if worker and worker in workers:
            yield f"Answer {annotation.external_id}: the same person answers a second time."
        workers.add(worker)


def _of_one(answer: dict[str, Any], paragraphs: list[str], whole: set[str]) -> Iterator[str]:
    types = [
        answer["unanswerable"],
        answer["extractive_spans"],
        answer["free_form_answer"],
        answer["yes_no"] is not None,
    ]
    if sum(map(bool, types)) != 1:
        yield f"it has {sum(map(bool, types))} answer types."
    evidence = answer["evidence"]
    if answer["unanswerable"] and evidence:
        yield "unanswerable, with evidence."
    if not answer["unanswerable"] and not evidence and answer["yes_no"] is not False:
        yield "an answer without evidence."
    if any(one not in whole for one in evidence):
        yield "evidence that is neither a paragraph nor a caption."
    if len(set(evidence)) < len(evidence):
        yield "repeated evidence."
    if evidence and any(not any(span in one for one in evidence) for span in answer["extractive_spans"]):
        yield "a span that is not in the evidence."
    for one in answer["highlighted_evidence"] or ():
        if one not in whole and not any(one in paragraph for paragraph in paragraphs):
            yield f"the highlight {quoted_beginning(one)} is not within one paragraph."


def _paragraphs(document: Mapping[str, Any]) -> Iterator[str]:
    for section in document["full_text"]:
        yield from section["paragraphs"]
