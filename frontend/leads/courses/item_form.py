"""The form of an item of multiple choice: what is asked, its pictures, and up to eight options."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from frontend.leads.courses.forms import DraftForm
from qualification.courses.content import LONGEST_ALT, MOST_PICTURES, ChoiceItem, ItemPicture, Option

MOST_OPTIONS, LEAST_SHOWN = 8, 4


class ItemForm(DraftForm):
    """An item of multiple choice with up to eight options, `text_0`, `right_0`, `explanation_0` and so on.

    `picture_0` is the sha-256 of its first picture and `alt_0` its text; pictures are kept before (`item_pictures`).
    """

    concept = forms.CharField(
        label=_("Concept"),
        max_length=120,
        required=False,
        help_text=_("What it asks about. Extra training has the tutorial items of the concepts that failed."),
    )
    stem = forms.CharField(
        label=_("What is asked"),
        max_length=4000,
        help_text=_("In Markdown."),
        error_messages={"required": _("Write what is asked.")},
    )
    note = forms.CharField(
        label=_("Explanation of the item as a whole"),
        max_length=4000,
        required=False,
        help_text=_("Shown with those of the options: in the tutorial at once, of the exam after the last attempt."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for n in range(MOST_OPTIONS):
            self.fields[f"text_{n}"] = forms.CharField(max_length=4000, required=False)
            self.fields[f"right_{n}"] = forms.BooleanField(required=False)
            self.fields[f"explanation_{n}"] = forms.CharField(max_length=4000, required=False)
        for n in range(MOST_PICTURES):
            self.fields[f"picture_{n}"] = forms.RegexField(r"^[0-9a-f]{64}$", required=False)
            self.fields[f"alt_{n}"] = forms.CharField(max_length=LONGEST_ALT, required=False)

    def pictures(self) -> list[dict[str, Any]]:
        """The pictures for the page."""
        shown = [n for n in range(MOST_PICTURES) if self[f"picture_{n}"].value()]
        return [{"n": n, "sha256": self[f"picture_{n}"].value(), "alt": self[f"alt_{n}"]} for n in shown]

    def options(self) -> list[dict[str, Any]]:
        """The options for the page: those that are filled in and two more, or at least four."""
        filled = [
            n for n in range(MOST_OPTIONS) if any(self[f"{name}_{n}"].value() for name in ("text", "explanation"))
        ]
        shown = min(MOST_OPTIONS, max(LEAST_SHOWN, max(filled, default=-1) + 3))
        return [
            {"n": n, "text": self[f"text_{n}"], "right": self[f"right_{n}"], "explanation": self[f"explanation_{n}"]}
            for n in range(shown)
        ]

    def clean(self) -> dict[str, Any]:
        """Two to eight different options, at least one of them right, and a text for each picture."""
        cleaned = super().clean() or {}
        texts = {n: cleaned.get(f"text_{n}", "") for n in range(MOST_OPTIONS)}
        for n, text in texts.items():
            if not text and (cleaned.get(f"right_{n}") or cleaned.get(f"explanation_{n}")):
                self.add_error(f"text_{n}", _("This option has no text."))
            elif text and text in [texts[earlier] for earlier in range(n)]:
                self.add_error(f"text_{n}", _("Another option has the same text."))
        for n in range(MOST_PICTURES):
            if cleaned.get(f"picture_{n}") and not cleaned.get(f"alt_{n}"):
                self.add_error(f"alt_{n}", _("Say what the picture shows, for people who don’t see it."))
        written = [n for n, text in texts.items() if text]
        if len(written) < 2:
            raise ValidationError(_("Write at least two options."))
        if not any(cleaned.get(f"right_{n}") for n in written):
            raise ValidationError(_("Say which option is right, or which options are."))
        return cleaned

    def item(self, key: str) -> ChoiceItem:
        """The item with this key."""
        sent = self.cleaned_data
        options = tuple(
            Option(text=sent[f"text_{n}"], right=sent[f"right_{n}"], explanation=sent[f"explanation_{n}"])
            for n in range(MOST_OPTIONS)
            if sent[f"text_{n}"]
        )
        pictures = tuple(
            ItemPicture(sha256=sent[f"picture_{n}"], alt=sent[f"alt_{n}"])
            for n in range(MOST_PICTURES)
            if sent[f"picture_{n}"]
        )
        texts = {name: sent[name] for name in ("concept", "stem", "note")}
        return ChoiceItem(key=key, pictures=pictures, options=options, **texts)

    @staticmethod
    def values_of(item: ChoiceItem) -> dict[str, Any]:
        """What the form shows of an item."""
        shown: dict[str, Any] = {"concept": item.concept, "stem": item.stem, "note": item.note}
        for n, option in enumerate(item.options):
            shown |= {f"text_{n}": option.text, f"right_{n}": option.right, f"explanation_{n}": option.explanation}
        for n, picture in enumerate(item.pictures):
            shown |= {f"picture_{n}": picture.sha256, f"alt_{n}": picture.alt}
        return shown
