"""Django forms of the DuReader stages: they turn a POST into a payload, and a payload back into form fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.protocols.dureader.schemas import LONGEST_ANSWER, LONGEST_ENTITY, MOST_ANSWERS, MOST_ENTITIES
from annotation.values.forms import StageForm

NUMBERS = range(1, MOST_ANSWERS + 1)
TYPES = (("DESCRIPTION", _("A description")), ("ENTITY", _("Entities")), ("YES_NO", _("Yes or no")))
KINDS = (("FACT", _("A fact")), ("OPINION", _("An opinion")))
OPINIONS = (("Yes", _("Yes")), ("No", _("No")), ("Depends", _("Depends")))


class KindForm(StageForm):
    """What the question asks for, and whether for a fact or an opinion."""

    question_type = forms.ChoiceField(choices=TYPES, error_messages={"required": _("Say what the question asks for.")})
    fact_or_opinion = forms.ChoiceField(
        choices=KINDS, error_messages={"required": _("Say whether it asks for a fact or an opinion.")}
    )


class AnswersForm(StageForm):
    """Up to five answers, `text_1` with `opinion_1` or `entities_1` (one on each line), or `kind` none; the places of
    the used documents in `used`.
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
            self.fields[f"opinion_{number}"] = forms.ChoiceField(
                label=_("Answer %(number)s, opinion") % values, choices=OPINIONS, required=False
            )
            self.fields[f"entities_{number}"] = forms.CharField(
                label=_("Answer %(number)s, entities") % values, required=False
            )

    def rows(self) -> list[tuple[int, forms.BoundField, forms.BoundField, forms.BoundField]]:
        """(number, text, opinion, entities) for each answer, as bound fields."""
        return [(each, self[f"text_{each}"], self[f"opinion_{each}"], self[f"entities_{each}"]) for each in NUMBERS]

    def clean(self) -> dict[str, Any]:
        """Answers, or that there are none. An opinion or entities without an answer are an error."""
        cleaned = super().clean() or {}
        if self.errors or cleaned["kind"] == "none":
            return cleaned
        for number in NUMBERS:
            values, names = {"number": number}, _names(cleaned[f"entities_{number}"])
            if not cleaned[f"text_{number}"].strip() and (cleaned[f"opinion_{number}"] or names):
                self.add_error(f"text_{number}", _("Answer %(number)s: write the answer, or remove it.") % values)
            if len(names) > MOST_ENTITIES or any(len(name) > LONGEST_ENTITY for name in names):
                values |= {"most": MOST_ENTITIES, "longest": LONGEST_ENTITY}
                message = _("Answer %(number)s: give at most %(most)s entities of at most %(longest)s characters.")
                self.add_error(f"entities_{number}", message % values)
        if not self.errors and not any(cleaned[f"text_{number}"].strip() for number in NUMBERS):
            self.add_error("text_1", _("Write an answer, or choose No answer here."))
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
                if names := _names(given[f"entities_{number}"]):
                    answer["entities"] = names
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
            found[f"entities_{number}"] = "\n".join(answer.get("entities") or [])
        return found


def _names(lines: str) -> list[str]:
    """The entities in a field with one on each line, each with single spaces."""
    return [name for line in lines.split("\n") if (name := " ".join(line.split()))]


FORMS = {"kind": KindForm, "answers": AnswersForm}
