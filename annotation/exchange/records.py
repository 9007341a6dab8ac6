"""What the records of all tools have in common: fields with the text and what is asked, choices, answers; and the
places of marks, checked against their text: tools count characters in different ways, and exports are edited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from annotation.documents.words import says_something
from annotation.exchange.options import ExportOptions
from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused
from annotation.values.exchange import AnswerKind, ExchangedAnswer, ExchangedItem, Span

SHOWN = 40
"""Characters that a sentence quotes."""
UTF_16 = "The places of marks count UTF-16 units, as in browsers; they were counted again in characters."
UNCHECKED = (
    "There are characters before a mark that some programs count as two, and the export has no words to compare:"
    " look whether the mark is right."
)


def integer(value: Any, field: str) -> int:
    """A place; LineRefused unless it is an integer from 0."""
    if type(value) is not int:
        raise LineRefused(field, "The place of a mark is not an integer.")
    if value < 0:
        raise LineRefused(field, "The place of a mark is below 0.")
    return value


def checked_mark(text: str, start: int, end: int, words: str | None, field: str) -> tuple[Span, str]:
    """The mark in code points of the text, and a note about it or "".

    Where the words at that place are not those of the mark, its places may count UTF-16 units; LineRefused if they are
    not there in either way.
    """
    found, note = checked_mark_of_pieces(text, [(start, end)], words, field)
    return found[0], note


def checked_mark_of_pieces(
    text: str, pieces: Sequence[Span], words: str | None, field: str, *, between: str = " "
) -> tuple[tuple[Span, ...], str]:
    """The same for a mark of several pieces, whose words are written one after another with `between`."""
    if any(start >= end for start, end in pieces):
        raise LineRefused(field, "A mark ends before it begins, or is empty.")
    if words is None:
        return _unchecked(text, pieces, field)
    wanted = {_plain(words)}
    for spans, note in ((tuple(pieces), ""), (_from_utf_16(text, pieces), UTF_16)):
        if spans and max(end for _start, end in spans) <= len(text):
            said = [text[start:end] for start, end in spans]
            if wanted & {_plain(between.join(said)), _plain("".join(said)), _plain(between.join(said), newline=" ")}:
                return _with_words(text, spans, field), note
    there = " ".join(text[start:end] for start, end in pieces)
    raise LineRefused(
        field, f"The text has {quoted(there)} at {_places(pieces)}, and not the words of the mark, {quoted(words)}."
    )


def _unchecked(text: str, pieces: Sequence[Span], field: str) -> tuple[tuple[Span, ...], str]:
    """Marks of which the export has no words: their places have to exist."""
    last = max(end for _start, end in pieces)
    if last > len(text):
        raise LineRefused(field, f"A mark ends at {last:,}, and the text has {len(text):,} characters.")
    has_pairs = len(_utf_16(text)) > 2 * len(text) and max(text[:last]) > "\uffff"
    note = UNCHECKED if has_pairs else ""
    return _with_words(text, tuple(pieces), field), note


def _with_words(text: str, spans: tuple[Span, ...], field: str) -> tuple[Span, ...]:
    for start, end in spans:
        if not text[start:end].strip():
            raise LineRefused(field, f"The mark at {_places([(start, end)])} has only spaces.")
    return spans


def _from_utf_16(text: str, pieces: Sequence[Span]) -> tuple[Span, ...]:
    """Places in UTF-16 units as code points; () if one is inside a character or beyond the end."""
    units = _utf_16(text)
    if len(units) == 2 * len(text) or any(2 * end > len(units) for _start, end in pieces):
        return ()
    try:
        found = [[len(units[: 2 * at].decode("utf-16-le")) for at in piece] for piece in pieces]
    except UnicodeDecodeError:
        return ()
    return tuple((start, end) for start, end in found)


@lru_cache(maxsize=1)
def _utf_16(text: str) -> bytes:
    """The text in UTF-16: many marks of one text are checked_mark one after another."""
    return text.encode("utf-16-le")


def _plain(words: str, *, newline: str = "\n") -> str:
    """Words without what exports do to their line breaks."""
    return words.replace("\r\n", "\n").replace("\\n", "\n").replace("\n", newline)


def _places(pieces: Sequence[Span]) -> str:
    return ";".join(f"{start:,}–{end:,}" for start, end in pieces)


def quoted(text: str) -> str:
    """The beginning of a text in quotation marks, on one line."""
    text = text.replace("\n", " ")
    return f"“{text[:SHOWN]}…”" if len(text) > SHOWN else f"“{text}”"


ITEM_ID, TITLE = "item_id", "title"
"""Fields beside text and prompt, which files of ours have."""
LONGEST_ID = 150
LONGEST_TITLE = 60
"""Characters of a title that is the beginning of a text."""
CHOICES: Mapping[str, AnswerKind] = {
    **dict.fromkeys(("yes", "true"), "yes"),
    **dict.fromkeys(("no", "false"), "no"),
    **dict.fromkeys(("no answer", "unanswerable", "not answerable", "impossible"), "none"),
}
"""What the words of a choice mean, in small letters."""
ADDRESS = re.compile(r"(https?|s3|gs|azure-blob)://\S+|/data/\S+", re.IGNORECASE)
"""What stands for a text that is kept elsewhere."""
ANSWERABLE = ("answerable", "has answer")
"""Choices that only say that there are marks."""
LEFT_UNMARKED = "Nothing is marked, so nobody has answered here."


def asked(record: Mapping[str, Any], options: ExportOptions, line: int, where: str = "") -> ExchangedItem:
    """The item of a record, still without answers. LineRefused."""
    text = fields.need(record, options.text_field, str, where)
    if not text.strip():
        raise LineRefused(_named(options.text_field, where), "The text is empty.")
    if ADDRESS.fullmatch(text.strip()):
        raise LineRefused(_named(options.text_field, where), "This is the address of a text, and nothing is fetched.")
    prompt = options.prompt
    if not prompt:
        if options.prompt_field not in record:
            raise LineRefused(
                _named(options.prompt_field, where),
                "The field is missing. Name the one with what is asked, or give a prompt for all texts.",
            )
        prompt = fields.need(record, options.prompt_field, str, where, longest=MAX_SHORT).strip()
    if not says_something(prompt):
        raise LineRefused(_named(options.prompt_field, where), "Nothing is asked.")
    name = fields.need(record, ITEM_ID, str, where) if record.get(ITEM_ID) is not None else ""
    if ITEM_ID in record and name and (len(name) > LONGEST_ID or not name.strip()):
        raise LineRefused(_named(ITEM_ID, where), f"An id has 1 to {LONGEST_ID} characters.")
    title = fields.need(record, TITLE, str, where, longest=MAX_SHORT) if record.get(TITLE) is not None else ""
    return ExchangedItem(line, name, title.strip() or beginning(text), text, prompt)


def beginning(text: str) -> str:
    """The beginning of a text, as its title."""
    words = " ".join(text[: 4 * LONGEST_TITLE].split())
    return words if len(words) <= LONGEST_TITLE else f"{words[:LONGEST_TITLE].rsplit(' ', 1)[0]}…"


def _named(name: str, where: str) -> str:
    return f"{where}.{name}" if where else name


def choice(label: str, field: str) -> ExchangedAnswer | None:
    """The answer that a choice is; None if it only says that there is one. LineRefused for any other."""
    words = " ".join(label.replace("_", " ").lower().split())
    if words in ANSWERABLE:
        return None
    if words not in CHOICES:
        raise LineRefused(field, f"The choice {quoted(label)} means neither yes, no nor no answer.")
    return ExchangedAnswer(CHOICES[words])


def labelled(
    marks: Sequence[tuple[Span, str]], options: ExportOptions, field: str
) -> tuple[list[Span], tuple[str, ...]]:
    """The marks (span, label) that are answers, in the order of the text, and notes about the others.

    LineRefused if they have several labels, and nobody has said which is that of answers.
    """
    labels = sorted({label for _span, label in marks})
    if not options.label and len(labels) > 1:
        raise LineRefused(field, f"The marks have the labels {', '.join(labels)[:200]}: say which one has the answers.")
    wanted = sorted({span for span, label in marks if options.label in ("", label)})
    others = [label for label in labels if options.label not in ("", label)]
    return wanted, tuple(f"Marks with the label {label[:100]} were left out." for label in others)


def answers_of(
    spans: Sequence[Span], other: Iterable[ExchangedAnswer], options: ExportOptions, field: str
) -> tuple[list[ExchangedAnswer], tuple[str, ...]]:
    """The answers that one annotation is, from its marks and what else it says, and notes.

    LineRefused if it marks words and says something else, too.
    """
    said = list(dict.fromkeys(other))
    if len(said) + bool(spans) > 1:
        raise LineRefused(field, "One annotation has several answers of different kinds.")
    if said:
        return said, ()
    if not spans:
        return ([ExchangedAnswer("none")], ()) if options.unmarked_is_none else ([], (LEFT_UNMARKED,))
    pieces = [(span,) for span in spans] if options.apart else [tuple(spans)]
    return [ExchangedAnswer("spans", one) for one in pieces], ()
