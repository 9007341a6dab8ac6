"""The rules of QASPER annotation: what each stage shows, which responses are valid, and the items they create."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from annotation.documents.images import UNKNOWN, Size, size_of
from annotation.documents.words import language_by_script, length_of
from annotation.errors import NotFound, Problem
from annotation.parsing.incoming import IncomingItem
from annotation.protocols.qasper import checks, schemas
from annotation.protocols.qasper.paper_tables import Table, parse_table
from annotation.protocols.qasper.papers import FLOAT, LEVELS, PaperText, kind_of
from annotation.protocols.qasper.placing import paragraphs_of_figures
from annotation.protocols.qasper.schemas import Paper, Question
from annotation.values.records import AnnotationRecord, Context, ItemRecord, Step, Waiting, latest_payload
from annotation.values.sheets import Sheet


@dataclass(frozen=True, kw_only=True)
class AskSheet(Sheet):
    """Title and abstract; the writer must not see anything else of the paper."""

    title: str
    abstract: str

    @property
    def about(self) -> str:
        """The title of the paper."""
        return self.title

    @property
    def word_count(self) -> int:
        """Words of title and abstract."""
        return super().word_count + _words(self.abstract)


@dataclass(frozen=True)
class Sentence:
    """A sentence: its half-open range in code points of the paragraph, and its text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Float:
    """A figure or table. `image` is the index of its image in the paper's documents, or None; `size` its width and
    height in pixels, (0, 0) if unknown.

    `table` has its cells if the file had them, which is rare; evidence is the caption and never the cells.
    """

    index: int
    kind: str
    caption: str
    file: str
    image: int | None
    size: Size = UNKNOWN
    table: Table = ()


@dataclass(frozen=True)
class Paragraph:
    """A paragraph with its index in the whole paper, and the figures and tables shown after it."""

    index: int
    text: str
    sentences: tuple[Sentence, ...]
    floats: tuple[Float, ...] = ()


@dataclass(frozen=True)
class Section:
    """A section: its headings, outermost first (none if it has no name), and its paragraphs."""

    headings: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, kw_only=True)
class AnswerSheet(Sheet):
    """A question and the whole paper, without anything about the writer.

    `floats` are all figures and tables; `unplaced` are those that belong to no paragraph.
    """

    title: str
    abstract: str
    licence: str
    sections: tuple[Section, ...]
    floats: tuple[Float, ...]
    unplaced: tuple[Float, ...]

    @property
    def about(self) -> str:
        """The title of the paper."""
        return self.title

    @property
    def word_count(self) -> int:
        """Words of the question and the whole paper, captions included."""
        paragraphs = sum(_words(each.text) for section in self.sections for each in section.paragraphs)
        captions = sum(_words(each.caption) for each in self.floats)
        return super().word_count + _words(self.title) + _words(self.abstract) + paragraphs + captions

    @property
    def passages(self) -> tuple[str, ...]:
        """The paragraphs of the paper, by their index."""
        return tuple(each.text for section in self.sections for each in section.paragraphs)


def sheet(context: Context, step: Step | Waiting) -> Sheet:
    """What a question writer or an answerer sees; NotFound for another stage or kind."""
    if isinstance(step, Waiting):
        raise NotFound
    stage, item = step.stage, context.item
    if stage == "questions" and item.kind == "paper":
        paper = Paper.from_stored(item.payload)
        return AskSheet(
            stage=stage,
            prompt=paper.title,
            title=paper.title,
            abstract=paper.abstract,
            lang=language_by_script(paper.abstract or paper.title),
        )
    if stage != "answer" or item.kind != "question" or item.root is None:
        raise NotFound
    paper, text = Paper.from_stored(item.root.payload), _text(item)
    floats = _floats(text, item.root)
    placed: dict[int | None, list[Float]] = {}
    for found, place in zip(floats, paragraphs_of_figures(text), strict=True):
        placed.setdefault(place, []).append(found)
    return AnswerSheet(
        stage=stage,
        prompt=Question.from_stored(item.payload).question,
        title=paper.title,
        abstract=paper.abstract,
        lang=language_by_script(paper.abstract or paper.title),
        licence=paper.licence,
        sections=_sections(text, placed),
        floats=floats,
        unplaced=tuple(placed.get(None, ())),
        images=tuple(found.image for found in floats if found.image is not None),
    )


def _words(text: str) -> int:
    return length_of(text).n


def _text(item: ItemRecord) -> PaperText:
    """The paper that a question is about."""
    return PaperText.from_document((item.root or item).documents[0])


def _sections(text: PaperText, floats: Mapping[int | None, Sequence[Float]]) -> tuple[Section, ...]:
    found: list[list[Paragraph]] = [[] for _ in text.raw["full_text"]]
    for index, (block, paragraph) in enumerate(zip(text.blocks, text.paragraphs, strict=True)):
        cut = tuple(Sentence(span.start, span.end, span.text_in(paragraph)) for span in block.sentences)
        found[block.section].append(Paragraph(index, paragraph, cut, tuple(floats.get(index, ()))))
    names = (entry.get("section_name") or "" for entry in text.raw["full_text"])
    return tuple(
        Section(tuple(filter(None, (part.strip() for part in name.split(LEVELS)))), tuple(paragraphs))
        for name, paragraphs in zip(names, found, strict=True)
    )


def _floats(text: PaperText, paper: ItemRecord) -> tuple[Float, ...]:
    images = {document.title: place for place, document in enumerate(paper.documents) if place}
    floats = []
    for index, entry in enumerate(text.raw.get("figures_and_tables", ())):
        file, caption = entry.get("file") or "", text.captions[index]
        kind = entry.get("kind")
        floats.append(
            Float(
                index=index,
                kind=kind if kind in ("figure", "table") else kind_of(file, caption),
                caption=caption,
                file=file,
                image=images.get(file),
                size=size_of(paper.documents[images[file]]) if file in images else UNKNOWN,
                table=parse_table(entry["content"]) if isinstance(entry.get("content"), str) else (),
            )
        )
    return tuple(floats)


def check(context: Context, step: Step, payload: Any) -> list[Problem]:
    """The problems of questions or an answer that match the schema."""
    if step.stage == "questions":
        return list(checks.of_questions(payload, Paper.from_stored(context.item.payload)))
    return checks.of_answer(payload, _text(context.item))


def follow_ups(item: ItemRecord, annotation: AnnotationRecord) -> Sequence[IncomingItem]:
    """An item to be answered for each written question; ids are deterministic, by annotation and position."""
    written = latest_payload(annotation.answers, "questions")
    if not isinstance(written, schemas.Questions):
        return ()
    made_by = annotation.id_hex or annotation.external_id
    return tuple(
        IncomingItem(
            line=0,
            kind="question",
            external_id=sha256(f"{made_by}\n{place}".encode()).hexdigest()[:40],
            split=item.split,
            payload=schemas.Question(
                question=question.text,
                nlp_background=written.nlp_background,
                topic_background=written.topic_background,
                paper_read=written.paper_read,
                search_query=written.search_query,
                answerable_from_abstract=question.answerable_from_abstract,
            ).model_dump(mode="json", exclude_defaults=True),
            parent=("paper", item.external_id),
        )
        for place, question in enumerate(written.questions)
    )


@dataclass(frozen=True)
class AnswerView:
    """An answer, for the read-only view. `kinds` are its types (published ones may have several or none).

    `value` is "yes", "no" or ""; `evidence` the texts of sentences and paragraphs, `floats` the captions.
    """

    kinds: tuple[str, ...]
    spans: tuple[str, ...] = ()
    value: str = ""
    text: str = ""
    by_absence: bool = False
    in_abstract: bool = False
    evidence: tuple[str, ...] = ()
    floats: tuple[str, ...] = ()


def view(stage: str, payload: Any, item: ItemRecord) -> Any:
    """What the read-only template of a stage shows of a response, ours or published."""
    if isinstance(payload, schemas.Questions):
        return payload
    if isinstance(payload, schemas.PublishedAnswer):
        return _published_view(payload)
    units = getattr(payload, "evidence", ())
    return AnswerView(
        kinds=(payload.kind,),
        spans=tuple(span.quote for span in getattr(payload, "spans", ())),
        value=_yes_or_no(payload.value) if isinstance(payload, schemas.YesNo) else "",
        text=payload.text if isinstance(payload, schemas.Abstractive) else "",
        by_absence=isinstance(payload, schemas.YesNo) and payload.by_absence,
        in_abstract=getattr(payload, "in_abstract", False),
        evidence=tuple(unit.quote for unit in units if isinstance(unit, schemas.SentencesUnit)),
        floats=tuple(unit.quote for unit in units if isinstance(unit, schemas.FloatUnit)),
    )


def _published_view(payload: schemas.PublishedAnswer) -> AnswerView:
    chosen = payload.highlighted_evidence or payload.evidence
    kinds = {
        "unanswerable": payload.unanswerable,
        "extractive": payload.extractive_spans,
        "abstractive": payload.free_form_answer,
        "yes_no": payload.yes_no is not None,
    }
    return AnswerView(
        kinds=tuple(kind for kind, there in kinds.items() if there),
        spans=payload.extractive_spans,
        value="" if payload.yes_no is None else _yes_or_no(payload.yes_no),
        text=payload.free_form_answer,
        evidence=tuple(one for one in chosen if not one.startswith(FLOAT)),
        floats=tuple(one.removeprefix(FLOAT) for one in chosen if one.startswith(FLOAT)),
    )


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
