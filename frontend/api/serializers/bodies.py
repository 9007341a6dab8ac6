"""Bodies of calls: fields that nobody knows are refused by name, and free JSON is what the record can store."""

from __future__ import annotations

from typing import Any

import orjson
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotation.parsing.strict_json import JsonRefused, strict_loads

LONGEST = 1_000_000
"""Characters of JSON in one field."""


class BodySerializer(serializers.Serializer[Any]):
    """A JSON object with the fields of a subclass and no others."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A misspelt field is refused, so that what it says is not lost silently."""
        if unknown := sorted(set(self.initial_data) - {*self.fields}):
            raise serializers.ValidationError({name: _("There is no such field.") for name in unknown})
        return attrs


class JsonObjectField(serializers.DictField):
    """A JSON object, without NUL, unpaired surrogates, or numbers beyond 64 bits; at most `longest` characters."""

    default_error_messages = {"json": _("This can’t be stored: {why}")}

    def __init__(self, *, longest: int = LONGEST, **kwargs: Any) -> None:
        self._longest = longest
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """The object as it is stored."""
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=type(data).__name__)
        try:
            text = orjson.dumps(data).decode()
            found: dict[str, Any] = strict_loads(text)
        except (orjson.JSONEncodeError, JsonRefused) as why:
            self.fail("json", why=why)
        if len(text) > self._longest:
            self.fail("json", why=len(text))
        return found
