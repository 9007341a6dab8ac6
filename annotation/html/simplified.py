"""Synthesise a page from the tokens of a simplified record, which has no HTML, so that it can be shown and marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from annotation.documents.layout import Candidate, Layout, Token

SYNTHESISED = "synthesised/1"
"""Layout version of synthesised pages: token indexes are the record's, byte offsets are those of our page."""
_TAG = re.compile(r'<(/?)(H[1-6]|P|Ul|Ol|Li|Dl|Dt|Dd|Table|Tr|Th|Td)((?:[_ ]colspan="\d+")?)>')
_NO_BLANK_BEFORE = frozenset(
    [",", ".", ";", ":", "?", "!", ")", "%", "''", "...", "'s", "'", "n't", "'re", "'ve", "'ll"]
)
_NO_BLANK_AFTER = frozenset(["(", "``", "$", "£"])


def synthesise(tokens: Sequence[str], candidates: Sequence[Candidate]) -> tuple[bytes, Layout]:
    """A page and its layout for the tokens of a simplified record.

    Tags are tokens such as `<P>`, `</P>` and `<Th_colspan="2">`; words before the first tag are the title. The token
    ranges of `candidates` are kept, their bytes ignored. ValueError if a token range is empty or out of bounds.
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
    """The candidate with the byte range it has in our page."""
    first, after = candidate.start_token, candidate.end_token
    if not 0 <= first < after <= len(tokens):
        raise ValueError(f"Tokens {first} to {after} are not among the page's {len(tokens)}.")
    return Candidate(tokens[first].start, tokens[after - 1].end, first, after, candidate.top_level)
