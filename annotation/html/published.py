"""Pages of published files: check their layout, with notes for the import report and nothing refused; and synthesise a
page from the tokens of a simplified record, which has no HTML, so that it can be shown and marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from annotation.documents.layout import Candidate, Layout, Token
from annotation.html.nq_layout import KINDS


def check_layout(source: bytes, layout: Layout) -> list[str]:
    """Sentences about tokens and candidates that don't match each other or the page, one per kind of oddity."""
    found: dict[str, list[str]] = {}
    for oddity, where in [*_tokens(source, layout.tokens), *_candidates(source, layout)]:
        found.setdefault(oddity, []).append(where)
    return [_sentence(oddity, places) for oddity, places in found.items()]


def _sentence(oddity: str, places: list[str]) -> str:
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    return f"{places[0].capitalize()}{more}: {oddity}."


def _tokens(source: bytes, tokens: tuple[Token, ...]) -> Iterator[tuple[str, str]]:
    at = 0
    for index, token in enumerate(tokens):
        where = f"token {index}"
        if not token.text:
            yield "no text", where
        if not 0 <= token.start < token.end <= len(source):
            yield "byte range is empty or outside the page", where
            continue
        if token.start < at:
            yield "overlaps the previous token", where
        at = max(at, token.end)
        piece = source[token.start : token.end]
        if token.html:
            name = token.text.strip("</>").split(" ")[0].lower().encode()
            if not piece.lower().startswith((b"<" + name, b"</" + name)):
                yield "tag not found in its byte range", where
        elif _splits_a_character(source, token):
            yield "splits a character", where


def _splits_a_character(source: bytes, token: Token) -> bool:
    return any(at < len(source) and source[at] & 0xC0 == 0x80 for at in (token.start, token.end))


def _candidates(source: bytes, layout: Layout) -> Iterator[tuple[str, str]]:
    previous: Candidate | None = None
    for index, candidate in enumerate(layout.candidates):
        where = f"candidate {index}"
        yield from ((oddity, where) for oddity in _alone(source, layout, candidate))
        if previous is not None:
            order = (previous.start_byte, -previous.end_byte), (candidate.start_byte, -candidate.end_byte)
            if order[0] == order[1]:
                yield "same as the previous one", where
            elif order[0] > order[1]:
                yield "out of order", where
        parent = layout.parents[index]
        if parent is not None and candidate.end_token > layout.candidates[parent].end_token:
            yield "ends outside the candidate it begins in", where
        if candidate.top_level != (parent is None):
            yield "wrong top_level flag", where
        previous = candidate


def _alone(source: bytes, layout: Layout, candidate: Candidate) -> Iterator[str]:
    """Oddities of a single candidate."""
    if not 0 <= candidate.start_token < candidate.end_token <= len(layout.tokens):
        yield "token range is empty or outside the page"
        return
    if not 0 <= candidate.start_byte < candidate.end_byte <= len(source):
        yield "byte range is empty or outside the page"
        return
    first, last = layout.tokens[candidate.start_token], layout.tokens[candidate.end_token - 1]
    if candidate.start_byte != first.start or candidate.end_byte < last.end:
        yield "byte range does not match its tokens"
    if first.text.strip("<>").split(" ")[0].lower() not in KINDS or not first.html:
        yield "not a paragraph, table, row, list or item"


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
