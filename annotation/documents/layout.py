"""How a document is cut: tokens and candidates, kept as an immutable content-addressed file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import orjson

from annotation.documents.text import Block, Span

SENTENCES = "sentences/1"
"""A text cut by `annotation.documents.text.sentences` as it is today."""
TEXT = "text"
"""A plain text, whose addresses are its code points: it has no blocks, tokens or candidates."""
WHOLE = "whole"
"""Nothing is cut: an image, which is chosen as a whole."""
PUBLISHED = "published"
"""Tokens and candidates came with a published file, in bytes and tokens."""
PUBLISHED_SIMPLIFIED = "published-simplified"
"""Tokens and candidates came with a published file that has no bytes: every byte offset is -1."""
SIMPLIFIED = "text/x-nq-simplified"
"""Media type of a document that is known only by its tokens; a page is made of them for display."""
PLAIN_TEXT = "text/plain"
"""Media type of a document that is a text and nothing else; it is not a page, so it has no rendering."""
PAGES = ("text/html", SIMPLIFIED)
"""Media types of documents that are shown as pages, in a frame."""


class Token(NamedTuple):
    """One token: its normalised text and the half-open range of UTF-8 bytes it stands for. A page has thousands.

    `html` is a flag: 0 or 1 where the layout was read from its file.
    """

    text: str
    start: int
    end: int
    html: bool | int


class Candidate(NamedTuple):
    """One box that may be a long answer: half-open ranges in bytes and in tokens of the layout; `top_level` a flag."""

    start_byte: int
    end_byte: int
    start_token: int
    end_token: int
    top_level: bool | int


# From the lists of a file, without a call of Python's for each: an export reads some hundred of them a record.
_tokens = partial(map, partial(tuple.__new__, Token))
_candidates = partial(map, partial(tuple.__new__, Candidate))


@dataclass(frozen=True)
class Layout:
    """How a document is cut; what a kind of document has nothing of is empty.

    Pages have tokens and candidates, both ordered by start (outer candidates before inner ones), and texts in sections
    have blocks. A plain text and an image are not cut.
    """

    version: str
    tokens: tuple[Token, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    blocks: tuple[Block, ...] = ()

    def to_bytes(self) -> bytes:
        """The canonical JSON bytes; equal layouts give equal bytes, so their sha-256 is an address."""
        raw: dict[str, Any] = {
            "version": self.version,
            "tokens": [[t.text, t.start, t.end, int(t.html)] for t in self.tokens],
            "candidates": [
                [c.start_byte, c.end_byte, c.start_token, c.end_token, int(c.top_level)] for c in self.candidates
            ],
        }
        # Only where there are any: the address of a layout without blocks stays what it was.
        if self.blocks:
            raw["blocks"] = [[b.section, b.paragraph, [[*span] for span in b.sentences]] for b in self.blocks]
        return orjson.dumps(raw)

    @classmethod
    def from_bytes(cls, data: bytes) -> Layout:
        """Read what `to_bytes` wrote."""
        raw = orjson.loads(data)
        return cls(
            version=raw["version"],
            tokens=tuple(_tokens(raw["tokens"])),
            candidates=tuple(_candidates(raw["candidates"])),
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
