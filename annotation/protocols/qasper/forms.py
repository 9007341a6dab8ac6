"""Django forms of the QASPER stages: from POST to payload, and back to form fields."""

from __future__ import annotations

from typing import Any

import orjson
from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import TypeAdapter

from annotation.protocols.qasper import schemas
from annotation.values.forms import SpansField, StageForm, json_list

NLP_BACKGROUNDS = (
    ("zero", _("None")),
    ("two", _("About two years")),
    ("five", _("About five years")),
    ("infinity", _("More than five years")),
    ("", _("I would rather not say")),
)
TOPIC_BACKGROUNDS = (
    ("unfamiliar", _("I don’t know this topic")),
    ("familiar", _("I know this topic")),
    ("research", _("I do research on this topic")),
    ("", _("I would rather not say")),
)
PAPER_READ = (("no", _("No")), ("yes", _("Yes")), ("", _("I would rather not say")))


class QuestionsForm(StageForm):
    """The writer's background, and questions as JSON text: a list of {text, answerable_from_abstract, kept}.

    Each part of the background has to be answered, if only with "" (no answer), so that none is missing by inertia.
    `search_query` is set by the server; it is not a field on the page.
    """

    remembered = ("nlp_background",)

    nlp_background = forms.ChoiceField(
        label=_("NLP"), choices=NLP_BACKGROUNDS, required=False, widget=forms.RadioSelect
    )
    topic_background = forms.ChoiceField(
        label=_("Topic"), choices=TOPIC_BACKGROUNDS, required=False, widget=forms.RadioSelect
    )
    paper_read = forms.ChoiceField(label=_("Read before"), choices=PAPER_READ, required=False, widget=forms.RadioSelect)
    search_query = forms.CharField(required=False, strip=False, max_length=500)
    questions = forms.CharField(label=_("Questions"), required=False, strip=False)

    _QUESTIONS = TypeAdapter(tuple[schemas.WrittenQuestion, ...])
    _UNSAID = {
        "topic_background": _("Say how well you know the topic, or choose “No answer”."),
        "paper_read": _("Say whether you have read the paper before, or choose “No answer”."),
        "nlp_background": _("Say how long you have worked with language technology, or that you would rather not say."),
    }

    def clean_questions(self) -> list[dict[str, Any]]:
        """The questions with white space collapsed; empty rows are dropped."""
        message = _("The questions could not be read. Reload the page; your draft is kept.")
        found = json_list(self.cleaned_data["questions"], self._QUESTIONS, message)
        written = [question | {"text": " ".join(question["text"].split())} for question in found]
        written = [question for question in written if question["text"]]
        if not written:
            raise forms.ValidationError(_("Write at least one question."))
        if len(written) > schemas.MAX_QUESTIONS:
            raise forms.ValidationError(_("You can ask at most 100 questions about one paper."))
        return written

    def clean(self) -> dict[str, Any]:
        """Require an answer about each part of the background."""
        cleaned = super().clean() or {}
        for name, message in self._UNSAID.items():
            if name not in self.data:
                self.add_error(name, forms.ValidationError(message, code="unsaid"))
        return cleaned

    @staticmethod
    def entry_in_words(entry: dict[str, Any]) -> str:
        """A question, and whether its writer thinks that the abstract answers it."""
        text = StageForm.entry_in_words(entry)
        if text and entry.get("answerable_from_abstract"):
            return gettext("%(question)s (the abstract answers it)") % {"question": text}
        return text

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields for a payload."""
        return payload | {"questions": orjson.dumps(payload["questions"]).decode()}


class ParagraphSpansField(SpansField):
    """Spans in paragraphs of the paper. Drafts of earlier versions say `paragraph` for `passage`."""

    def to_python(self, value: Any) -> list[dict[str, Any]]:
        """The spans of the field's text, of a draft of an earlier version too."""
        return super().to_python(self.prepare_value(value))

    def prepare_value(self, value: Any) -> Any:
        """The text for the page; inside a JSON string the quotation marks would be escaped, so only keys change."""
        return value.replace('"paragraph":', '"passage":') if isinstance(value, str) else value


class AnswerForm(StageForm):
    """One of four kinds of answer; evidence and spans as JSON text. Fields of other kinds are ignored."""

    kind = forms.ChoiceField(
        label=_("Kind of answer"),
        choices=(
            ("extractive", _("Words of the paper")),
            ("yes_no", _("Yes or no")),
            ("abstractive", _("My own words")),
            ("unanswerable", _("The paper does not answer it")),
        ),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what kind of answer there is.")},
    )
    evidence = forms.CharField(label=_("Evidence"), required=False, strip=False)
    spans = ParagraphSpansField(label=_("Marked words"), required=False)
    value = forms.ChoiceField(
        label=_("Yes or no"),
        choices=(("yes", _("Yes")), ("no", _("No"))),
        required=False,
        widget=forms.RadioSelect,
    )
    by_absence = forms.BooleanField(required=False, label=_("The paper does not mention it, so the answer is no"))
    text = forms.CharField(label=_("Own words"), required=False)
    in_abstract = forms.BooleanField(required=False, label=_("Title and abstract say this already"))

    _EVIDENCE = TypeAdapter(tuple[schemas.EvidenceUnit, ...])

    def clean_evidence(self) -> list[dict[str, Any]]:
        """The evidence: a JSON list of units."""
        message = _("The chosen evidence could not be read. Choose it again.")
        return json_list(self.cleaned_data["evidence"], self._EVIDENCE, message)

    def clean(self) -> dict[str, Any]:
        """Require the fields of the chosen kind."""
        cleaned = super().clean() or {}
        kind, evidence = cleaned.get("kind"), cleaned.get("evidence")
        if kind in ("extractive", "abstractive") and not evidence:
            self._missing(
                "evidence", _("Choose the evidence: the sentences, figures or tables that answer the question.")
            )
        if kind == "extractive" and not cleaned.get("spans"):
            self._missing("spans", _("Mark the words that answer, or choose another kind of answer."))
        if kind == "abstractive" and not cleaned.get("text"):
            self._missing("text", _("Write the answer."))
        if kind == "yes_no" and not cleaned.get("value"):
            self._missing("value", _("Choose Yes or No."))
        return cleaned

    def _missing(self, field: str, message: Any) -> None:
        if field not in self.errors:
            self.add_error(field, message)

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        given = self.cleaned_data
        kind = given["kind"]
        answered = {"kind": kind, "evidence": given["evidence"]}
        if given["in_abstract"]:
            answered["in_abstract"] = True
        if kind == "extractive":
            return answered | {"spans": [_renamed(span, "passage", "paragraph") for span in given["spans"]]}
        if kind == "yes_no":
            absent = given["by_absence"] and given["value"] == "no" and not given["evidence"]
            return answered | {"value": given["value"] == "yes", "by_absence": absent}
        if kind == "abstractive":
            return answered | {"text": given["text"]}
        return {"kind": kind}

    @staticmethod
    def entry_in_words(entry: dict[str, Any]) -> str:
        """The words of a sentence, or the caption of a figure or table, which may have none."""
        text = StageForm.entry_in_words(entry)
        return text or (gettext("A figure or table without a caption") if entry.get("kind") == "float" else "")

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields for a payload."""
        found = {
            "kind": payload["kind"],
            "evidence": orjson.dumps(payload.get("evidence", [])).decode(),
            "spans": SpansField.text_of([_renamed(span, "paragraph", "passage") for span in payload.get("spans", ())]),
            "text": payload.get("text", ""),
        }
        if payload["kind"] == "yes_no":
            found["value"] = "yes" if payload["value"] else "no"
        if payload.get("by_absence"):
            found["by_absence"] = "on"
        if payload.get("in_abstract"):
            found["in_abstract"] = "on"
        return found


def _renamed(span: dict[str, Any], key: str, to: str) -> dict[str, Any]:
    """A span with one key renamed: form fields say `passage`, stored payloads `paragraph`."""
    return {to if name == key else name: value for name, value in span.items()}


FORMS = {"questions": QuestionsForm, "answer": AnswerForm}
