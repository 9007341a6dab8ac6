"""A Django form for each stage: from a POST to a payload, and back."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.values.forms import SpansField, StageForm


class AskForm(StageForm):
    """What is asked, or the wish to end."""

    text = forms.CharField(label=_("What you ask"), required=False, max_length=500)
    end = forms.BooleanField(label=_("We have talked about enough: propose to end"), required=False)

    def clean(self) -> dict[str, Any]:
        """Something is asked, unless the end is proposed."""
        cleaned = super().clean() or {}
        if not cleaned.get("end") and cleaned.get("text") == "":
            self.add_error("text", _("Write what you want to know."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        if self.cleaned_data["end"]:
            return {"kind": "ended", "why": "done", "reason": ""}
        return {"kind": "asked", "text": self.cleaned_data["text"]}

    def left(self) -> dict[str, Any]:
        """What was written is not sent with the wish to end; it is there again if the partner wants to go on."""
        text = self.cleaned_data["text"]
        return {"text": text} if self.cleaned_data["end"] and text else {}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The fields that give this payload."""
        return {"end": "on"} if payload["kind"] == "ended" else {"text": payload["text"]}


class TellForm(StageForm):
    """What is told, with the words of the text that say so, or that the text does not say."""

    kind = forms.ChoiceField(
        label=_("Does the text say?"),
        choices=(("told", _("It says")), ("not_said", _("It does not say"))),
        error_messages={"required": _("Mark the words that say it, or choose that the text does not say.")},
    )
    span = SpansField(label=_("Words that say so"), most=1, required=False)
    text = forms.CharField(label=_("What you tell"), required=False, max_length=500)

    def clean(self) -> dict[str, Any]:
        """What is told needs marked words."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "told":
            if cleaned.get("span") == []:
                self.add_error("span", _("Mark the words that say it."))
            if cleaned.get("text") == "":
                self.add_error("text", _("Write what you tell your partner."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        given = self.cleaned_data
        if given["kind"] == "not_said":
            return {"kind": "not_said"}
        return {"kind": "told", "text": given["text"], "span": given["span"][0]}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The fields that give this payload."""
        if payload["kind"] == "not_said":
            return {"kind": "not_said"}
        return {"kind": "told", "text": payload["text"], "span": SpansField.text_of([payload["span"]])}


class ClosingForm(StageForm):
    """Whether the teller agrees to end."""

    agreed = forms.ChoiceField(
        label=_("Shall the talk end here?"),
        choices=(("yes", _("Yes, end here")), ("no", _("No, ask me more"))),
        error_messages={"required": _("Say whether the talk ends here.")},
    )

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        return {"agreed": self.cleaned_data["agreed"] == "yes"}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The fields that give this payload."""
        return {"agreed": "yes" if payload["agreed"] else "no"}


FORMS = {"ask": AskForm, "tell": TellForm, "closing": ClosingForm, "again": TellForm}
