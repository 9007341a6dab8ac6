"""The fields of a form that is not complete, as a person reads them: by their labels, choices and marked words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext

from annotation.parsing.strict_json import JsonRefused, strict_loads

EMPTY = ("", "[]", "false", "False", "off", "None")
"""What fields say in which nothing is written, marked or ticked."""


def in_words(form: Any, given: MultiValueDict) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(label, texts) of the fields that are filled in, in the form's order; fields with one label are one entry.

    What the form does not know comes last, under its name, so that nothing that was written is left out.

    A field without a label is a detail of the one before it. A choice says nothing by itself if it belongs to a text or
    to marked words: those of an empty row have a default.
    """
    found: dict[str, list[str]] = {}
    written: dict[str, bool] = {}
    label = ""
    for name, field in form().fields.items():
        label = str(field.label) if field.label else label
        texts = [text for value in given.getlist(name) for text in _texts(field, str(value))]
        found.setdefault(label, []).extend(texts)
        if not isinstance(field, forms.ChoiceField):
            written[label] = written.get(label, False) or bool(texts)
    filled = ((label, texts) for label, texts in found.items() if texts and written.get(label, True))
    known = tuple((label or gettext("Answer"), tuple(texts)) for label, texts in filled)
    others = (
        (name, tuple(str(value) for value in values if str(value) not in EMPTY)) for name, values in given.lists()
    )
    return known + tuple((name, texts) for name, texts in others if texts and name not in form().fields)


def _texts(field: Any, value: str) -> Iterator[str]:
    if value in EMPTY or isinstance(field, forms.IntegerField):
        return  # a number only names a place, whose words are in another field
    if isinstance(field, forms.BooleanField):
        yield gettext("Yes")
    elif isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        yield str(dict(choices).get(value, value))
    else:
        yield from _quotes(value)


def _quotes(value: str) -> Iterator[str]:
    """The words in a list of marked places or written texts; any other value is words itself."""
    try:
        entries = strict_loads(value) if value.startswith("[") else None
    except JsonRefused:
        entries = None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        yield value
        return
    for entry in entries:
        words = entry.get("quote") or entry.get("text")
        if words:
            yield str(words)
