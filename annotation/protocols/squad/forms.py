"""Django forms of the SQuAD stages: they turn a POST into a payload, and a payload back into form fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.protocols.squad.schemas import LONGEST_QUESTION, MOST_QUESTIONS
from annotation.values.forms import SpansField, StageForm

NUMBERS = range(1, MOST_QUESTIONS + 1)
KINDS = (("answerable", _("The paragraph answers it")), ("impossible", _("It does not answer it")))


class QuestionsForm(StageForm):
    """Up to five rows: a question (`text_1`), whether the paragraph answers it (`kind_1`), the marked words (`span_1`).

    Rows with neither a question nor marked words are ignored.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for number in NUMBERS:
            label = _("Question %(number)s") % {"number": number}
            self.fields[f"text_{number}"] = forms.CharField(
                label=label,
                required=False,
                max_length=LONGEST_QUESTION,
                error_messages={"max_length": _("Question %(number)s is too long. Shorten it.") % {"number": number}},
            )
            self.fields[f"kind_{number}"] = forms.ChoiceField(label=label, choices=KINDS, required=False)
            self.fields[f"span_{number}"] = SpansField(label=label, most=1, required=False)

    def rows(self) -> list[tuple[int, forms.BoundField, forms.BoundField, forms.BoundField]]:
        """(number, question, kind, span) for each row, as bound fields."""
        return [(each, self[f"text_{each}"], self[f"kind_{each}"], self[f"span_{each}"]) for each in NUMBERS]

    def clean(self) -> dict[str, Any]:
        """A question without marked words is an error, and so are marked words without a question."""
        cleaned = super().clean() or {}
        for number in NUMBERS:
            text, span = cleaned.get(f"text_{number}"), cleaned.get(f"span_{number}")
            if text and span == []:
                words = {"number": number}
                if cleaned.get(f"kind_{number}") == "impossible":
                    message = _("Question %(number)s: mark the words that look like an answer.") % words
                else:
                    message = _("Question %(number)s: mark the words that answer it.") % words
                self.add_error(f"span_{number}", message)
            if span and text == "":
                message = _("Question %(number)s: write the question, or remove it.") % {"number": number}
                self.add_error(f"text_{number}", message)
        if not self.errors and not any(cleaned[f"text_{number}"] for number in NUMBERS):
            self.add_error("text_1", _("Write at least one question."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        return {"questions": list(self._written())}

    def _written(self) -> Iterator[dict[str, Any]]:
        given = self.cleaned_data
        for number in NUMBERS:
            if text := " ".join(given[f"text_{number}"].split()):
                kind = given[f"kind_{number}"] or "answerable"
                yield {"kind": kind, "text": text, "span": given[f"span_{number}"][0]}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        found: dict[str, Any] = {}
        for number, question in enumerate(payload["questions"], start=1):
            found[f"text_{number}"] = question["text"]
            found[f"kind_{number}"] = question["kind"]
            found[f"span_{number}"] = SpansField.text_of([question["span"]])
        return found


class AnswerForm(StageForm):
    """Marked words, or no answer. Marked words are ignored if `kind` is unanswerable."""

    kind = forms.ChoiceField(
        choices=(("span", _("Words")), ("unanswerable", _("No answer"))),
        error_messages={"required": _("Mark the words that answer, or choose No answer.")},
    )
    span = SpansField(label=_("Marked words"), most=1, required=False)

    def clean(self) -> dict[str, Any]:
        """An answer of kind `span` without marked words is an error."""
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "span" and cleaned.get("span") == []:
            self.add_error("span", _("Mark the words that answer."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        if self.cleaned_data["kind"] == "unanswerable":
            return {"kind": "unanswerable"}
        return {"kind": "span", "span": self.cleaned_data["span"][0]}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        spans = [payload["span"]] if payload["kind"] == "span" else []
        return {"kind": payload["kind"], "span": SpansField.text_of(spans)}


FORMS = {"questions": QuestionsForm, "answer": AnswerForm}
