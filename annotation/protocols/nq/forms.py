"""Django forms of the NQ stages: from POST data to payload, and from payload to initial values."""

from __future__ import annotations

from typing import Any

import orjson
from django import forms
from django.utils.translation import gettext_lazy as _
from pydantic import TypeAdapter

from annotation.protocols.nq import schemas
from annotation.values.forms import StageForm, json_list

REASONS = (
    ("ambiguous", _("Ambiguous")),
    ("incomprehensible", _("Incomprehensible")),
    ("false_presupposition", _("False presupposition")),
    ("opinion", _("Opinion")),
    ("not_a_request", _("Not a request for facts")),
)


class QuestionForm(StageForm):
    """Good, or bad with at least one reason."""

    verdict = forms.ChoiceField(
        label=_("Good or bad"),
        choices=(("good", _("Good")), ("bad", _("Bad"))),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose Good or Bad.")},
    )
    reasons = forms.MultipleChoiceField(
        label=_("Reasons"), choices=REASONS, required=False, widget=forms.CheckboxSelectMultiple
    )

    def clean(self) -> dict[str, Any]:
        """Require a reason for bad, and none for good."""
        cleaned = super().clean() or {}
        verdict, reasons = cleaned.get("verdict"), cleaned.get("reasons")
        if verdict == "bad" and not reasons and "reasons" not in self.errors:
            self.add_error("reasons", _("Say why the question is bad: choose at least one reason."))
        if verdict == "good" and reasons:
            self.add_error("reasons", _("Only a bad question has reasons. Choose Bad, or clear the reasons."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form; reasons without duplicates, in the order of the screen."""
        if self.cleaned_data["verdict"] == "good":
            return {"verdict": "good"}
        chosen = set(self.cleaned_data["reasons"])
        return {"verdict": "bad", "reasons": [key for key, _title in REASONS if key in chosen]}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The field values that give this payload."""
        return {"verdict": payload["verdict"], "reasons": payload.get("reasons", [])}


class LongAnswerForm(StageForm):
    """A box with its quote, or no answer with a reason."""

    kind = forms.ChoiceField(
        choices=(("box", _("A box")), ("none", _("No answer"))),
        error_messages={"required": _("Choose a box, or No answer.")},
    )
    candidate = forms.IntegerField(label=_("Box"), required=False, min_value=0, max_value=2**31)
    quote = forms.CharField(
        required=False,
        strip=False,
        max_length=schemas.QUOTE_LENGTH,
        error_messages={"max_length": _("The quote is longer than 200 characters. Reload the page and choose again.")},
    )
    reason = forms.ChoiceField(
        label=_("Reason for no answer"),
        choices=(
            ("page", _("The page does not answer it")),
            ("spread", _("The answer is spread over several boxes")),
        ),
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Require the number of a box, or the reason for no answer; fields of the other choice are ignored."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "box" and cleaned.get("candidate") is None and "candidate" not in self.errors:
            self.add_error("candidate", _("Choose a box on the page."))
        if cleaned.get("kind") == "none" and not cleaned.get("reason") and "reason" not in self.errors:
            self.add_error(
                "reason", _("Say why there is no answer: the page has none, or it is spread over several boxes.")
            )
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        given = self.cleaned_data
        if given["kind"] == "none":
            return {"kind": "none", "reason": given["reason"]}
        return {"kind": "box", "candidate": given["candidate"], "quote": given["quote"]}


class ShortAnswerForm(StageForm):
    """Spans as JSON text, or yes, no, or none."""

    kind = forms.ChoiceField(
        label=_("Kind of answer"),
        choices=(("spans", _("Words")), ("yes", _("Yes")), ("no", _("No")), ("none", _("None"))),
        error_messages={"required": _("Choose Words, Yes, No or None.")},
    )
    spans = forms.CharField(label=_("Marked words"), required=False, strip=False)

    _SPANS = TypeAdapter(tuple[schemas.SpanAnswer, ...])

    def clean_spans(self) -> list[dict[str, Any]]:
        """The spans, if the text is a JSON list of {start, end, quote}."""
        message = _("The marked words could not be read. Mark them again.")
        return json_list(self.cleaned_data["spans"], self._SPANS, message)

    def clean(self) -> dict[str, Any]:
        """Require at least one span for words; yes, no and none ignore those that were marked before."""
        cleaned = super().clean() or {}
        kind, spans = cleaned.get("kind"), cleaned.get("spans")
        if kind == "spans" and not spans and "spans" not in self.errors:
            self.add_error("spans", _("Mark at least one word, or choose Yes, No or None."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        kind = self.cleaned_data["kind"]
        return {"kind": "spans", "spans": self.cleaned_data["spans"]} if kind == "spans" else {"kind": kind}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The field values that give this payload."""
        return {"kind": payload["kind"], "spans": orjson.dumps(payload.get("spans", [])).decode()}


FORMS = {"question": QuestionForm, "long_answer": LongAnswerForm, "short_answer": ShortAnswerForm}
