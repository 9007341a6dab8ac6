"""Django forms of the DuReader stages: they turn a POST into a payload, and a payload back into form fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from django import forms
from django.utils.translation import gettext_lazy as _
from pydantic import TypeAdapter

from annotation.protocols.dureader.schemas import LONGEST_ANSWER, MOST_ANSWERS, Entity
from annotation.values.forms import StageForm, json_list

NUMBERS = range(1, MOST_ANSWERS + 1)
TYPES = (("DESCRIPTION", _("A description")), ("ENTITY", _("Entities")), ("YES_NO", _("Yes or no")))
KINDS = (("FACT", _("A fact")), ("OPINION", _("An opinion")))
OPINIONS = (("Yes", _("Yes")), ("No", _("No")), ("Depends", _("Depends")))
_ENTITIES = TypeAdapter(tuple[Entity, ...])


class KindForm(StageForm):
    """What the question asks for, and whether for a fact or an opinion."""

    question_type = forms.ChoiceField(choices=TYPES, error_messages={"required": _("Say what the question asks for.")})
    fact_or_opinion = forms.ChoiceField(
        choices=KINDS, error_messages={"required": _("Say whether it asks for a fact or an opinion.")}
    )

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        return {name: self.cleaned_data[name] for name in ("question_type", "fact_or_opinion")}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        return dict(payload)


class AnswersForm(StageForm):
    """Up to five answers, `text_1` with `opinion_1` or `entities_1` (a JSON list of texts), or `kind` none; the places
    of the used documents in `used`.
    """

    kind = forms.ChoiceField(choices=(("answers", _("An answer")), ("none", _("No answer here"))), required=False)
    used = forms.MultipleChoiceField(choices=[(str(n), str(n + 1)) for n in range(5)], required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for number in NUMBERS:
            values = {"number": number}
            self.fields[f"text_{number}"] = forms.CharField(
                label=_("Answer %(number)s") % values,
                required=False,
                max_length=LONGEST_ANSWER,
                error_messages={"max_length": _("Answer %(number)s is too long. Shorten it.") % values},
            )
            self.fields[f"opinion_{number}"] = forms.ChoiceField(choices=OPINIONS, required=False)
            self.fields[f"entities_{number}"] = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Answers, or that there are none; entities that can be read."""
        cleaned = super().clean() or {}
        for number in NUMBERS:
            try:
                sent = cleaned.get(f"entities_{number}", "")
                cleaned[f"entities_{number}"] = json_list(sent, _ENTITIES, _("The entities could not be read."))
            except forms.ValidationError as error:
                self.add_error(f"entities_{number}", error)
        written = [number for number in NUMBERS if cleaned.get(f"text_{number}")]
        if not self.errors and cleaned.get("kind") != "none" and not written:
            self.add_error("text_1", _("Write an answer, or say that the documents have none."))
        return cleaned

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        if self.cleaned_data["kind"] == "none":
            return {"answers": [], "used": []}
        used = sorted({int(place) for place in self.cleaned_data["used"]})
        return {"answers": list(self._written()), "used": used}

    def _written(self) -> Iterator[dict[str, Any]]:
        given = self.cleaned_data
        for number in NUMBERS:
            if text := given[f"text_{number}"].strip():
                answer: dict[str, Any] = {"text": text}
                if given[f"opinion_{number}"]:
                    answer["opinion"] = given[f"opinion_{number}"]
                if given[f"entities_{number}"]:
                    answer["entities"] = given[f"entities_{number}"]
                yield answer

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        answers = payload.get("answers", [])
        found: dict[str, Any] = {
            "kind": "answers" if answers else "none",
            "used": [str(place) for place in payload.get("used", [])],
        }
        for number, answer in enumerate(answers, start=1):
            found[f"text_{number}"] = answer["text"]
            found[f"opinion_{number}"] = answer.get("opinion") or ""
            entities = answer.get("entities") or []
            found[f"entities_{number}"] = orjson.dumps(entities).decode() if entities else ""
        return found


FORMS = {"kind": KindForm, "answers": AnswersForm}
