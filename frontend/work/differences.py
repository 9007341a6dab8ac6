"""What differs between two versions of one answer: which parts of the form, and which words of what is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from annotation.parsing.strict_json import JsonRefused, strict_loads
from annotation.values.forms import StageForm

TAG = re.compile(r"(<[^>]*>)")
"""A tag of what our templates render: they escape `>` in attributes."""
WORD = re.compile(r"(?:&[#\w]+;|\w+|[^\w\s])\s*")
"""A word, an entity or a sign, with the space after it."""
Fields = MultiValueDict[str, Any]
SIMILAR = 0.5
"""Least similarity of two texts of which only the words that differ are marked; otherwise all of both is."""


def parts_that_differ(form: Any, one: Fields, other: Fields) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(labels of the fields that differ, labels of those that are the same and filled in), in the form's order.

    A field without a label is a detail of another one. Fields with the same label are named once, as differing if any
    of them does. Only what a person would notice differs: not the order of keys in what a script has put in a hidden
    field, nor the default of a row that is empty in both.
    """
    differing: dict[str, bool] = {}
    same: dict[str, bool] = {}
    written = _written(form, one) | _written(form, other)
    for name, field in form().fields.items():
        label = str(field.label or "")
        if label and (label in written or not isinstance(field, forms.ChoiceField)):
            here, there = ([_comparable(field, value) for value in _filled(field, each, name)] for each in (one, other))
            if here != there:
                differing[label] = True
            elif here:
                same[label] = True
    return tuple(differing), tuple(label for label in same if label not in differing)


def _filled(field: Any, fields: Fields, name: str) -> list[str]:
    """The values of a field that say something, as text."""
    return [str(value) for value in fields.getlist(name) if not _says_nothing(field, value)]


def _says_nothing(field: Any, value: Any) -> bool:
    if isinstance(field, forms.BooleanField):
        return str(value) in UNTICKED
    return value is None or str(value).strip() in ("", "[]")


def _written(form: Any, given: Fields) -> set[str]:
    """Labels of fields in which something is written or marked, or that have nothing but choices."""
    texts: dict[str, list[bool]] = {}
    for name, field in form().fields.items():
        if not isinstance(field, forms.ChoiceField):
            texts.setdefault(str(field.label or ""), []).append(bool(_filled(field, given, name)))
    return {str(field.label) for field in form().fields.values() if any(texts.get(str(field.label), [True]))}


def _comparable(field: Any, value: str) -> Any:
    """What two values of a field are compared by."""
    entries = _entries(field.prepare_value(value))
    if entries is None:
        return " ".join(value.split())
    said = [{key: part for key, part in entry.items() if str(part).strip() not in UNTICKED} for entry in entries]
    return [entry for entry in said if not {"quote", "text", "index"}.isdisjoint(entry)]


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


def _with_marks(matcher: SequenceMatcher[str], words: Sequence[str]) -> Iterator[str]:
    for tag, _start, _end, start, end in matcher.get_opcodes():
        text = "".join(words[start:end])
        bare = text.rstrip()
        yield f"<ins>{bare}</ins>{text[len(bare) :]}" if tag != "equal" and bare else text


UNTICKED = ("", "[]", "false", "False", "off", "None")
"""What a box to tick says if it is not ticked."""


def differences_in_words(form: Any, given: Fields) -> tuple[tuple[str, tuple[str, ...]], ...]:
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
        texts = [text for value in _filled(field, given, name) for text in _texts(form, field, value)]
        found.setdefault(label, []).extend(texts)
        if not isinstance(field, forms.ChoiceField):
            written[label] = written.get(label, False) or bool(texts)
    filled = ((label, texts) for label, texts in found.items() if texts and written.get(label, True))
    known = tuple((label or gettext("Answer"), tuple(texts)) for label, texts in filled)
    others = (
        (name, tuple(text for value in _filled(None, given, name) for text in in_words(value)))
        for name in given
        if name not in form().fields
    )
    return known + tuple((name, texts) for name, texts in others if texts)


def _texts(form: Any, field: Any, value: str) -> Iterator[str]:
    if says := getattr(field, "says", ""):
        yield str(says) % {"n": value}
    elif isinstance(field, forms.IntegerField):
        return  # a number only names a place, whose words are in another field
    elif isinstance(field, forms.BooleanField):
        yield gettext("Yes")
    elif isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        yield str(dict(choices).get(value, value))
    else:
        yield from in_words(value, form)


def in_words(value: str, form: Any = StageForm) -> Iterator[str]:
    """The words in a list of marked places or written texts; any other value is words itself."""
    entries = _entries(value)
    if entries is None:
        yield value
        return
    for entry in entries:
        if words := form.entry_in_words(entry):
            yield words


def _entries(value: str) -> list[dict[str, Any]] | None:
    """What a script has put in a hidden field as a list of objects; None for anything else."""
    try:
        entries = strict_loads(value) if value.startswith("[") else None
    except JsonRefused:
        return None
    return entries if isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries) else None
