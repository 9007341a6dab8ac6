"""Django forms of the CoQA stages: they turn a POST into a payload, and a payload back into form fields."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.protocols.coqa.schemas import LONGEST
from annotation.protocols.coqa.talk import kind_of
from annotation.values.forms import SpansField, StageForm

WHY = (
    ("", _("Ask a question")),
    ("done", _("Propose to end: we have talked about enough")),
    ("exhausted", _("End: the passage has nothing left to ask about")),
)
VERDICTS = (
    ("match", _("They match")),
    ("no_match", _("They do not match")),
    ("original_wrong", _("The original looks wrong")),
    ("question_unclear", _("The question is unclear")),
)
TOO_LONG = {"max_length": _("This is too long. Shorten it to %(limit_value)d characters.")}


class QuestionForm(StageForm):
    """A question, or (`why`) the end of the conversation, with a reason if the passage has nothing left."""

    text = forms.CharField(label=_("Question"), required=False, max_length=LONGEST, error_messages=TOO_LONG)
    why = forms.ChoiceField(label=_("How it goes on"), choices=WHY, required=False)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=LONGEST, error_messages=TOO_LONG)

    def clean(self) -> dict[str, Any]:
        """A question needs words, and the end of an exhausted passage a reason."""
        cleaned = super().clean() or {}
        why = cleaned.get("why")
        if why == "" and cleaned.get("text") == "":
            self.add_error("text", _("Write a question."))
        if why == "exhausted" and cleaned.get("reason") == "":
            self.add_error("reason", _("Say why nothing is left to ask about this passage."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        given = self.cleaned_data
        if given["why"]:
            reason = given["reason"] if given["why"] == "exhausted" else ""
            return {"kind": "ended", "why": given["why"], "reason": reason}
        return {"kind": "asked", "text": " ".join(given["text"].split())}

    def left(self) -> dict[str, Any]:
        """What was written but is not sent with a proposal to end: a question, and the reason for another end."""
        given = self.cleaned_data
        if given["why"] != "done":
            return {}
        return {name: given[name] for name in ("text", "reason") if given[name]}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        if payload["kind"] == "ended":
            return {"why": payload["why"], "reason": payload["reason"]}
        return {"text": payload["text"]}


class GuessForm(StageForm):
    """A rationale and an answer in the person's own words, or `unknown`, which needs neither."""

    unknown = forms.BooleanField(label=_("Unknown"), required=False)
    rationale = SpansField(label=_("Rationale"), most=1, required=False)
    text = forms.CharField(label=_("Answer"), required=False, max_length=LONGEST, error_messages=TOO_LONG)

    def clean(self) -> dict[str, Any]:
        """An answer needs a rationale first, then words."""
        cleaned = super().clean() or {}
        if not cleaned.get("unknown"):
            if cleaned.get("rationale") == []:
                self.add_error("rationale", _("First mark the words of the passage that support the answer."))
            if cleaned.get("text") == "":
                self.add_error("text", _("Write the answer as you would say it."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        given = self.cleaned_data
        if given["unknown"]:
            return {"kind": "unknown", "may_end": False}
        text = " ".join(given["text"].split())
        return {"kind": kind_of(text), "text": text, "rationale": given["rationale"][0], "may_end": False}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        if payload["kind"] == "unknown":
            return {"unknown": "on"}
        return {"text": payload["text"], "rationale": SpansField.text_of([payload["rationale"]])}


class AnswerForm(GuessForm):
    """An answer in a conversation. `may_end`: the answerer proposes to end it here."""

    may_end = forms.BooleanField(label=_("Propose to end"), required=False)

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        return super().payload() | {"may_end": self.cleaned_data["may_end"]}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        return GuessForm.fields_of(payload) | ({"may_end": "on"} if payload["may_end"] else {})


class ClosingForm(StageForm):
    """Whether the answerer agrees to end."""

    agreed = forms.ChoiceField(
        label=_("End here?"),
        choices=(("yes", _("Yes, end here")), ("no", _("No, ask me more"))),
        error_messages={"required": _("Say whether the conversation ends here.")},
    )

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        return {"agreed": self.cleaned_data["agreed"] == "yes"}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        return {"agreed": "yes" if payload["agreed"] else "no"}


class VerdictForm(StageForm):
    """Whether the original answer means the same as the guess, and what the player mistyped."""

    verdict = forms.ChoiceField(
        label=_("Do the two mean the same?"),
        choices=VERDICTS,
        error_messages={"required": _("Say whether the two answers mean the same.")},
    )
    mistyped = forms.CharField(
        label=_("What you meant to type"), required=False, max_length=LONGEST, error_messages=TOO_LONG
    )


FORMS = {
    "question": QuestionForm,
    "closing": ClosingForm,
    "answer": AnswerForm,
    "guess": GuessForm,
    "verdict": VerdictForm,
}
