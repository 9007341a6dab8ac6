"""Check the layout of a published page: notes for the import report; nothing is refused."""

from __future__ import annotations

from collections.abc import Iterator

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
