"""Text of a paper's document: paragraphs split into sentences, captions of figures and tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from annotation.documents.layout import SENTENCES, Layout
from annotation.documents.text import Block, sentences
from annotation.values.records import DocumentRecord

MEDIA_TYPE = "application/x-qasper-paper+json"
FLOAT = "FLOAT SELECTED: "
"""Prefix of figure and table evidence in a release."""
LEVELS = " ::: "
"""Separator of the headings in a section's name."""
OURS = "goldfinch"
"""Document key, never released: the source layout of a converted paper, and metadata kept from it."""


def lay_out_paper(paper: dict[str, Any]) -> Layout:
    """One block per paragraph, in order, split into sentences."""
    return Layout(
        SENTENCES,
        blocks=tuple(
            Block(section, place, sentences(paragraph))
            for section, entry in enumerate(paper["full_text"])
            for place, paragraph in enumerate(entry["paragraphs"])
        ),
    )


@dataclass(frozen=True)
class PaperText:
    """A paper's document. `raw` is its JSON; a paragraph's index is that of its block in the layout."""

    raw: dict[str, Any]
    blocks: tuple[Block, ...]

    @classmethod
    def from_document(cls, document: DocumentRecord) -> PaperText:
        """The text of a paper's document."""
        return cls(orjson.loads(document.source), document.layout.blocks)

    @cached_property
    def paragraphs(self) -> tuple[str, ...]:
        """Every paragraph, empty ones included."""
        sections = self.raw["full_text"]
        return tuple(sections[block.section]["paragraphs"][block.paragraph] for block in self.blocks)

    @cached_property
    def captions(self) -> tuple[str, ...]:
        """The caption of each figure and table, "" if it has none."""
        return tuple(entry.get("caption") or "" for entry in self.raw.get("figures_and_tables", ()))

    def run(self, paragraph: int, start: int, end: int) -> str:
        """Sentences [start, end) as one verbatim text; IndexError if they don't exist."""
        span = self.run_span(paragraph, start, end)
        return self.paragraphs[paragraph][span[0] : span[1]]

    def run_span(self, paragraph: int, start: int, end: int) -> tuple[int, int]:
        """The range of sentences [start, end) in code points of the paragraph; IndexError if they don't exist."""
        cut = self.blocks[paragraph].sentences
        if not start < end <= len(cut):
            raise IndexError("The paragraph has no such sentences.")
        return cut[start].start, cut[end - 1].end


def kind_of(file: str, caption: str) -> str:
    """`table` or `figure`, by the file name (3-Table1-1.png) or the start of the caption."""
    return "table" if "table" in file.lower() or caption.lower().startswith("tab") else "figure"
