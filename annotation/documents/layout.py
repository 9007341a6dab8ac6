"""Layouts: the tokens and candidates, or blocks, of a document, stored as an immutable content-addressed file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import orjson

from annotation.documents.text import Block, Span

SENTENCES = "sentences/1"
"""A text split by the current version of `annotation.documents.text.sentences`."""
TEXT = "text"
"""A plain text, addressed by code points: it has no blocks, tokens or candidates."""
WHOLE = "whole"
"""An image, which is chosen as a whole."""
PUBLISHED = "published"
"""Tokens and candidates come from a published file, with byte and token offsets."""
PUBLISHED_SIMPLIFIED = "published-simplified"
"""Tokens and candidates come from a published file without byte offsets: they are all -1."""
SIMPLIFIED = "text/x-nq-simplified"
"""Media type of a document of which only the tokens are known; a page is synthesised from them for display."""
PLAIN_TEXT = "text/plain"
"""Media type of a plain text, which is not shown as a page and has no rendering."""
PAGES = ("text/html", SIMPLIFIED)
"""Media types of documents that are shown as pages, in a frame."""


class Token(NamedTuple):
    """One token: its normalised text and its half-open range of UTF-8 bytes. A page has thousands.

    `html` is a flag; it is 0 or 1 in a layout read from its file.
    """

    text: str
    start: int
    end: int
    html: bool | int


class Candidate(NamedTuple):
    """A box that may be a long answer: half-open ranges of bytes and of the layout's tokens; `top_level` is a flag."""

    start_byte: int
    end_byte: int
    start_token: int
    end_token: int
    top_level: bool | int


# Named tuples without a Python call per element: an export reads hundreds of them per record.
_named = tuple.__new__


@dataclass(frozen=True)
class Layout:
    """The parts of a document that annotations refer to.

    Pages have tokens and candidates, both ordered by start (outer candidates before inner ones); texts in sections have
    blocks; plain texts and images have neither.
    """

    version: str
    tokens: tuple[Token, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    blocks: tuple[Block, ...] = ()

    def words(self, start: int, end: int) -> str:
        """The words of these tokens, without tags."""
        return " ".join(token.text for token in self.tokens[start:end] if not token.html)

    def to_bytes(self) -> bytes:
        """Canonical JSON: equal layouts give equal bytes, and their sha-256 is the layout's address."""
        raw: dict[str, Any] = {
            "version": self.version,
            "tokens": [(text, start, end, int(html)) for text, start, end, html in self.tokens],
            "candidates": [(*places, int(top_level)) for *places, top_level in self.candidates],
        }
        # Only if there are any: otherwise the addresses of existing layouts would change.
        if self.blocks:
            raw["blocks"] = [[b.section, b.paragraph, [[*span] for span in b.sentences]] for b in self.blocks]
        return orjson.dumps(raw)

    @classmethod
    def from_bytes(cls, data: bytes) -> Layout:
        """The layout that `to_bytes` wrote."""
        raw = orjson.loads(data)
        return cls(
            version=raw["version"],
            tokens=tuple([_named(Token, row) for row in raw["tokens"]]),
            candidates=tuple([_named(Candidate, row) for row in raw["candidates"]]),
            blocks=tuple(
                Block(section, paragraph, tuple(Span(start, end) for start, end in sentences))
                for section, paragraph, sentences in raw.get("blocks", ())
            ),
        )

    @cached_property
    def parents(self) -> tuple[int | None, ...]:
        """For each candidate the index of the smallest candidate around it, or None at top level."""
        parents: list[int | None] = []
        around: list[int] = []
        for index, candidate in enumerate(self.candidates):
            while around and self.candidates[around[-1]].end_token <= candidate.start_token:
                around.pop()
            parents.append(around[-1] if around else None)
            around.append(index)
        return tuple(parents)
