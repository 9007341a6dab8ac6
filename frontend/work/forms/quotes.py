"""Where a quote occurs in what the sheet of a step shows."""

from __future__ import annotations

from annotation import html
from annotation.documents.quotes import find_in_texts
from annotation.engine.work import Work
from annotation.errors import NotFound
from annotation.values.sheets import PageFrame

LONGEST = 2000
"""Characters; a longer quote is never found."""
MOST = 20
"""Places that are told."""


def matches(work: Work, step: str, text: str) -> list[dict[str, int]]:
    """The first MOST places: tokens of the box (`start`, `end`), or code points of one of the sheet's passages, which
    `text` numbers from 0.

    NotFound for a step that was not reached, or shows neither.
    """
    sheet = work.sheet(step)
    if len(text) > LONGEST:
        text = ""  # a truncated quote would be a different quote
    if sheet.passages is None:
        found = _in_box(work, sheet.frame, text)
    else:
        found = [place._asdict() for place in find_in_texts(sheet.passages, text)]
    return found[:MOST]


def _in_box(work: Work, frame: PageFrame | None, text: str) -> list[dict[str, int]]:
    if frame is None or frame.root is None or not frame.words:
        raise NotFound
    document = work.record.documents[frame.document]
    box = document.layout.candidates[frame.root]
    found = html.find_quote(document.rendering(frame.root), text, (box.start_token, box.end_token))
    return [{"start": start, "end": end} for start, end in found]
