"""A page made from the tokens of a simplified record, which has nothing else, so that it can be shown and marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from annotation.documents.layout import Candidate, Layout, Token

SYNTHESISED = "synthesised/1"
"""Layouts of pages made here: the token indexes are the record's, the bytes are those of our own page."""
_TAG = re.compile(r'<(/?)(H[1-6]|P|Ul|Ol|Li|Dl|Dt|Dd|Table|Tr|Th|Td)((?:[_ ]colspan="\d+")?)>')
_NO_BLANK_BEFORE = frozenset(
    [",", ".", ";", ":", "?", "!", ")", "%", "''", "...", "'s", "'", "n't", "'re", "'ve", "'ll"]
)
_NO_BLANK_AFTER = frozenset(["(", "``", "$", "£"])


def synthesise(tokens: Sequence[str], candidates: Sequence[Candidate]) -> tuple[bytes, Layout]:
    """A page and its layout for the tokens of a simplified record.

    Tags are tokens such as `<P>`, `</P>` and `<Th_colspan="2">`; words before the first tag are the title. The bytes
    of `candidates` are not looked at, their token ranges stay. ValueError if one is no range of the tokens.
    """
    parts: list[bytes] = []
    laid: list[Token] = []
    at = 0

    def write(text: str) -> tuple[int, int]:
        nonlocal at
        parts.append(text.encode())
        start, at = at, at + len(parts[-1])
        return start, at

    write("<!DOCTYPE html>\n<html><head><title>")
    in_title, before = True, ""
    for text in tokens:
        tag = _TAG.fullmatch(text)
        if tag:
            if in_title:
                write("</title></head><body>\n")
                in_title = False
            spelled = f"<{tag[1]}{tag[2]}{tag[3].replace('_', ' ')}>"
            laid.append(Token(spelled, *write(spelled), True))
            if tag[1]:
                write("\n")
            before = ""
            continue
        if before and before not in _NO_BLANK_AFTER and text not in _NO_BLANK_BEFORE:
            write(" ")
        laid.append(Token(text, *write(escape(text, quote=False)), False))
        before = text
    write("</title></head><body></body></html>\n" if in_title else "\n</body></html>\n")
    placed = tuple(_placed(candidate, laid) for candidate in candidates)
    return b"".join(parts), Layout(SYNTHESISED, tuple(laid), placed)


def _placed(candidate: Candidate, tokens: list[Token]) -> Candidate:
    """The same candidate in the bytes of our page."""
    first, after = candidate.start_token, candidate.end_token
    if not 0 <= first < after <= len(tokens):
        raise ValueError(f"There are no tokens {first} to {after} among {len(tokens)}.")
    return Candidate(tokens[first].start, tokens[after - 1].end, first, after, candidate.top_level)
