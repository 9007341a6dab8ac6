"""What differs between two versions of one answer: which parts of the form, and which words of what is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from django.utils.datastructures import MultiValueDict
from django.utils.safestring import SafeString, mark_safe

TAG = re.compile(r"(<[^>]*>)")
"""A tag of what our templates render: they escape `>` in attributes."""
WORD = re.compile(r"(?:&[#\w]+;|\w+|[^\w\s])\s*")
"""A word, an entity or a sign, with the space after it."""
SIMILAR = 0.5
"""Least likeness of two texts of which only the words that differ are marked; otherwise all of both is."""


def parts_that_differ(form: Any, one: MultiValueDict, other: MultiValueDict) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(labels of the fields that differ, labels of those that are the same and filled in), in the form's order.

    A field without a label is a detail of another one. Fields with the same label are named once, as differing if any
    of them does.
    """
    differing: dict[str, bool] = {}
    same: dict[str, bool] = {}
    for name, field in form().fields.items():
        if field.label:
            here, there = _filled(one, name), _filled(other, name)
            if here != there:
                differing[str(field.label)] = True
            elif here:
                same[str(field.label)] = True
    return tuple(differing), tuple(label for label in same if label not in differing)


def _filled(fields: MultiValueDict, name: str) -> list[str]:
    return [str(value) for value in fields.getlist(name) if value not in ("", "[]", None)]


def marked(one: str, other: str) -> tuple[SafeString, SafeString]:
    """Two rendered versions, with `<ins>` around the words that the other one doesn't have."""
    mine, theirs = _Rendered(one), _Rendered(other)
    matcher = SequenceMatcher(None, mine.texts, theirs.texts, autojunk=False)
    for tag, start, end, from_, to in matcher.get_opcodes():
        if tag == "equal":
            continue
        if end - start == to - from_:
            for here, there in zip(range(start, end), range(from_, to), strict=True):
                mine.mark_words(here, theirs.texts[there])
                theirs.mark_words(there, mine.texts[here])
        else:
            mine.mark_all(range(start, end))
            theirs.mark_all(range(from_, to))
    return mine.html(), theirs.html()


class _Rendered:
    """Rendered HTML, taken apart into tags and texts."""

    def __init__(self, html: str) -> None:
        self.pieces = TAG.split(html)
        self.places = [at for at, piece in enumerate(self.pieces) if at % 2 == 0 and piece.strip()]
        self.texts = [" ".join(self.pieces[at].split()) for at in self.places]

    def mark_all(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._replace(number, f"<ins>{self.texts[number]}</ins>")

    def mark_words(self, number: int, other: str) -> None:
        """Mark the words of a text that another one, which stands in its place, doesn't have."""
        words = WORD.findall(self.texts[number])
        matcher = SequenceMatcher(None, _bare(WORD.findall(other)), _bare(words), autojunk=False)
        if matcher.ratio() < SIMILAR:
            self.mark_all([number])
        else:
            self._replace(number, "".join(_with_marks(matcher, words)))

    def _replace(self, number: int, html: str) -> None:
        """The space around a text stays, since it may separate words of two elements."""
        piece = self.pieces[self.places[number]]
        bare = piece.strip()
        self.pieces[self.places[number]] = piece.replace(bare, html)

    def html(self) -> SafeString:
        # Only our own tags were added to what templates had escaped.
        return mark_safe("".join(self.pieces))  # noqa: S308


def _bare(words: Sequence[str]) -> list[str]:
    return [word.rstrip() for word in words]


def _with_marks(matcher: SequenceMatcher, words: Sequence[str]) -> Iterator[str]:
    for tag, _start, _end, start, end in matcher.get_opcodes():
        text = "".join(words[start:end])
        bare = text.rstrip()
        yield f"<ins>{bare}</ins>{text[len(bare) :]}" if tag != "equal" and bare else text
