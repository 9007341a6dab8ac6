"""The Django form of the stage: from a POST to a payload, and back."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.values.forms import SpansField, StageForm


class AnswerForm(StageForm):
    """Marked words, or that the text does not say."""

    kind = forms.ChoiceField(
        label=_("Does the text answer?"),
        choices=(("marked", _("Words")), ("not_said", _("It does not say"))),
        error_messages={"required": _("Mark the words that answer, or choose that the text does not say.")},
    )
    span = SpansField(label=_("Words that answer"), most=1, required=False)

    def clean(self) -> dict[str, Any]:
        """An answer in words needs marked words."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "marked" and cleaned.get("span") == []:
            self.add_error("span", _("Mark the words that answer."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        if self.cleaned_data["kind"] == "not_said":
            return {"kind": "not_said"}
        return {"kind": "marked", "span": self.cleaned_data["span"][0]}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The fields that give this payload."""
        spans = [payload["span"]] if payload["kind"] == "marked" else []
        return {"kind": payload["kind"], "span": SpansField.text_of(spans)}


FORMS = {"answer": AnswerForm}
