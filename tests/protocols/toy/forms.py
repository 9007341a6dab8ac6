"""Forms of the toy: their fields are those of the payloads."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.values.forms import StageForm


class AskForm(StageForm):
    text = forms.CharField(max_length=200)

    def payload(self) -> dict[str, Any]:
        return {"text": self.cleaned_data["text"]}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        return payload


class TellForm(AskForm):
    reason = forms.CharField(max_length=200, required=False)

    def payload(self) -> dict[str, Any]:
        return super().payload() | {"reason": self.cleaned_data["reason"]}


class JudgeForm(StageForm):
    good = forms.ChoiceField(choices=(("yes", "Yes"), ("no", "No")))

    def payload(self) -> dict[str, Any]:
        return {"good": self.cleaned_data["good"] == "yes"}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        return {"good": "yes" if payload["good"] else "no"}


FORMS = {"ask": AskForm, "tell": TellForm, "judge": JudgeForm}
