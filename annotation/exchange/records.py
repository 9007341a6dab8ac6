"""What the records of all tools have in common: fields with the text and what is asked, choices, answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation.documents.words import says_something
from annotation.exchange.options import ExportOptions
from annotation.exchange.places import quoted
from annotation.parsing import fields
from annotation.parsing.fields import MAX_SHORT, LineRefused
from annotation.values.exchange import AnswerKind, ExchangedAnswer, ExchangedItem, Span

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
