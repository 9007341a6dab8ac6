"""The form of a stage, and form fields for JSON that scripts put in hidden fields. For every protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import TypeAdapter, ValidationError

from annotation.documents.spans import MarkedSpan
from annotation.errors import Problem
from annotation.parsing.strict_json import JsonRefused, strict_loads
from annotation.values.records import ItemRecord


def json_list(text: str, adapter: TypeAdapter[Any], message: Any) -> list[dict[str, Any]]:
    """The JSON list in a field, validated by the adapter; an empty field is an empty list.

    Raises forms.ValidationError with this message if it is not valid.
    """
    if not text.strip():
        return []
    try:
        found: list[dict[str, Any]] = strict_loads(text)
        adapter.validate_json(orjson.dumps(found))
    except (JsonRefused, ValidationError, orjson.JSONEncodeError):
        raise forms.ValidationError(message) from None
    return found


class StageForm(forms.Form):
    """The form of a stage: what it sends as a payload, and what of it is no part of the answer."""

    @classmethod
    def for_item(cls, item: ItemRecord) -> type[StageForm]:
        """The form for this item: the same for all, unless what is asked stands in the item."""
        return cls

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form: by default what its fields say."""
        return dict(self.cleaned_data)

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload: by default those of the same names."""
        return dict(payload)

    def left(self) -> dict[str, Any]:
        """What was filled in and is no part of the answer, by field; it is kept for the next turn."""
        return {}

    @staticmethod
    def entry_in_words(entry: dict[str, Any]) -> str:
        """An entry of a list that a script put in a hidden field, as a person reads it; "" if it says nothing."""
        return str(entry.get("quote") or entry.get("text") or "").strip()

    def problems(self) -> list[Problem]:
        """What is wrong with it, by field; "" is the form as a whole."""
        return [
            Problem(field=name if name != "__all__" else "", code=error["code"], message=error["message"])
            for name, errors in self.errors.get_json_data().items()
            for error in errors
        ]


class SpansField(forms.Field):
    """The words that the picker marked (`frontend/static/goldfinch/spans/picker.js`).

    Its value is a list of {passage, start, end, quote} in the order of the text, the fields of
    `annotation/documents/spans.py: MarkedSpan`; the protocol's `check` compares them with the text. `most`: the maximum
    number of spans, None for no limit. With `required` (the default) an empty field gets
    `error_messages["required"]`.
    """

    widget = forms.HiddenInput
    default_error_messages = {
        "required": _("Mark the words that answer."),
        "broken": _("The marked words could not be read. Mark them again."),
        "too_many": ngettext_lazy("Mark one place only.", "Mark %(n)s places at most.", "n"),
    }
    _SPANS = TypeAdapter(tuple[MarkedSpan, ...])

    def __init__(self, *, most: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.most = most

    def to_python(self, value: Any) -> list[dict[str, Any]]:
        """The spans in the field's JSON; an empty field has none."""
        found = json_list(value or "", self._SPANS, self.error_messages["broken"])
        if self.most is not None and len(found) > self.most:
            raise forms.ValidationError(self.error_messages["too_many"], "too_many", {"n": self.most})
        return found

    @staticmethod
    def text_of(spans: Sequence[dict[str, Any]]) -> str:
        """The field's JSON for these spans, for the `fields_of` of a form."""
        return orjson.dumps(list(spans)).decode()
