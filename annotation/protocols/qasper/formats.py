"""File formats: reads papers in the QASPER and S2ORC layouts, writes the QASPER layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from annotation.errors import ImportRefused
from annotation.i18n import _
from annotation.parsing import fields
from annotation.parsing.fields import LineRefused, read_json_lines
from annotation.parsing.forms import Form
from annotation.parsing.incoming import ImportSource, IncomingDocument, IncomingItem, RefusedLine
from annotation.parsing.strict_json import FILE_VALUES, JsonRefused, name_of_path, strict_loads
from annotation.parsing.whole_files import split_of
from annotation.protocol import Format
from annotation.protocols.qasper import admission, layout_v03, oddities, writing
from annotation.protocols.qasper.images import Images
from annotation.protocols.qasper.layout_v03 import PaperRecord
from annotation.protocols.qasper.layouts import s2orc
from annotation.protocols.qasper.papers import MEDIA_TYPE, lay_out_paper
from annotation.protocols.qasper.schemas import Paper
from annotation.values.records import ReleaseRecord

FORMATS = (
    Format(
        key="qasper",
        title=_("QASPER v0.3"),
        pattern="qasper-{split}-v0.3.json",
        kind="paper",
        child_kind="question",
        activity="answer",
        root_activities=(),  # the writers' work is in the questions
        container="object",
        notes=writing.notes,
    ),
)
PAPER_BYTES = 8 * 1024 * 1024
"""Bytes of a paper's text, as JSON and without its questions; the largest published one has less than 1 MB."""
PARAGRAPHS = 20_000

_FILE_NAME = re.compile(r"qasper-(train|dev|test)\b")
"""qasper-train-v0.3.json, qasper-train-4papers-v0.3.json, qasper-test-v0.3.json."""

Read = tuple[int, PaperRecord, admission.Stated] | RefusedLine


def read(source: ImportSource) -> Iterator[IncomingItem | RefusedLine]:
    """Each paper with its images, followed by its questions, and refused papers; the n-th paper of the file is line n.

    A published file (`source.published`) is one object in the QASPER layout, and its answers become annotations. Raw
    papers may also be in an S2ORC layout; their answers are left out. A .jsonl file has a paper on each line.
    ImportRefused for another layout, or if the split of a published file is unknown.
    """
    yield from read_papers(source, list(_papers(source)), split=split_of(source, _FILE_NAME, "qasper-dev-v0.3.json"))


def read_papers(source: ImportSource, papers: list[Read], *, split: str) -> Iterator[IncomingItem | RefusedLine]:
    """The items of papers that have been read from a file, and the refused ones. ImportRefused."""
    config, licences = admission.config_of(source), admission.licence_file(source)
    images = Images(source, (found[1].document for found in papers if not isinstance(found, RefusedLine)))
    used_ids: set[str] = set()
    for found in papers:
        if isinstance(found, RefusedLine):
            yield found
            continue
        number, paper, stated = found
        licence = stated.licence or licences.get(paper.paper_id, "").strip()
        try:
            if not source.published:
                admission.admit(stated, licence, config)
            # Read all of the paper before yielding any of it: a refused question refuses the paper.
            items = [
                _paper(number, paper, licence, split, images, published=source.published),
                *layout_v03.read_questions(number, paper, split, published=source.published, used_ids=used_ids),
            ]
        except LineRefused as refused:
            yield _refused(number, paper.paper_id, refused)
        else:
            yield from items


def _paper(
    number: int, paper: PaperRecord, licence: str, split: str, images: Images, *, published: bool
) -> IncomingItem:
    document = paper.document
    if not document["title"].strip() and not published:
        raise LineRefused("title", "The title is empty.")
    absent = paper.absent if published else ()
    payload = Paper(title=document["title"], abstract=document["abstract"], licence=licence, absent=absent)
    data = _bytes(document)
    pictures, missing = images.find(paper.paper_id, document)
    text = IncomingDocument(
        data, MEDIA_TYPE, lay_out_paper(document), document["title"], licence=licence[: admission.LONGEST]
    )
    return IncomingItem(
        line=number,
        kind="paper",
        external_id=paper.paper_id,
        split=split,
        payload=payload.model_dump(mode="json", exclude_defaults=True),
        documents=(text, *pictures),
        notes=tuple(f"Paper {paper.paper_id}: {note}" for note in (*oddities.of_paper(document), *missing)),
    )


def _bytes(document: dict[str, Any]) -> bytes:
    """The document as stored; LineRefused if it is too large to be shown on one page."""
    data = orjson.dumps(document)
    if len(data) > PAPER_BYTES:
        raise LineRefused("", f"The paper has {len(data):,} bytes; the limit is {PAPER_BYTES:,}.")
    paragraphs = sum(len(section["paragraphs"]) for section in document["full_text"])
    if paragraphs > PARAGRAPHS:
        raise LineRefused("full_text", f"The paper has {paragraphs:,} paragraphs; the limit is {PARAGRAPHS:,}.")
    return data


def _papers(source: ImportSource) -> Iterator[Read]:
    """The papers of the file in order, in any layout."""
    metadata = s2orc.Metadata(source)
    if re.search(r"\.jsonl(\.gz)?$", source.name) or source.form is not Form.LINES:
        for number, record in read_json_lines(source):
            try:
                yield record if isinstance(record, RefusedLine) else _of_line(source, number, record, metadata)
            except LineRefused as refused:
                yield RefusedLine(number, refused.field, refused.reason)
        return
    try:
        data = strict_loads(source.whole(), values=FILE_VALUES)
    except JsonRefused as error:
        raise ImportRefused(f"{source.name}{_place(error)}: {error}") from None
    if isinstance(data, dict) and s2orc.looks_like(data):
        try:
            yield _of_s2orc(source, 1, data, metadata)
        except LineRefused as refused:
            yield RefusedLine(1, refused.field, refused.reason)
        return
    if not isinstance(data, dict) or not any(map(layout_v03.looks_like, data.values())):
        raise ImportRefused(
            f"{source.name} is not in a supported layout: one object from paper id to paper (QASPER v0.1 to v0.3), "
            f"or an S2ORC paper ({', '.join(s2orc.LAYOUTS)})."
        )
    for number, (paper_id, record) in enumerate(data.items(), start=1):
        try:
            yield _of_v03(source, number, paper_id, record)
        except LineRefused as refused:
            yield _refused(number, paper_id, refused)


def _place(error: JsonRefused) -> str:
    """The paper and field that a fault of the JSON is in, if known: `, paper 1909.00694, abstract`."""
    if len(error.path) < 2:
        return f", {name_of_path(error.path)}" if error.path else ""
    return f", paper {error.path[0]}, {name_of_path(error.path[1:])}"


def _of_line(source: ImportSource, number: int, record: dict[str, Any], metadata: s2orc.Metadata) -> Read:
    """A paper on a line: of S2ORC, or in the QASPER layout with its id as `paper_id`."""
    if s2orc.looks_like(record):
        return _of_s2orc(source, number, record, metadata)
    if not layout_v03.looks_like(record):
        raise LineRefused("", "The line is neither an S2ORC paper nor a paper in the QASPER layout.")
    paper_id = fields.need(record, "paper_id", str)
    return _of_v03(source, number, paper_id, {key: value for key, value in record.items() if key != "paper_id"})


def _of_v03(source: ImportSource, number: int, paper_id: str, record: Any) -> Read:
    paper = layout_v03.read_paper(paper_id, record)
    return number, paper, admission.stated(record, strict=not source.published)


def _of_s2orc(source: ImportSource, number: int, record: dict[str, Any], metadata: s2orc.Metadata) -> Read:
    if source.published:
        raise ImportRefused(f"{source.name} is an S2ORC paper, which has no answers. Import it with import_items.")
    paper, about = s2orc.read_paper(record, metadata)
    return number, paper, admission.stated(about, strict=True)


def _refused(number: int, paper_id: str, refused: LineRefused) -> RefusedLine:
    """The refusal, with the paper's id: in an object, the number alone would not identify the paper."""
    return RefusedLine(number, refused.field, f"Paper {paper_id}: {refused.reason}")


def write(format: str, records: Iterable[ReleaseRecord]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(paper id, paper with its questions and answers); ReleaseRefused, or KeyError for another format."""
    if format != FORMATS[0].key:
        raise KeyError(format)
    for record in records:
        yield record.item.external_id, writing.paper(record)
