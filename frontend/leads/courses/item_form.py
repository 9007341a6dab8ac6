"""The form of an item of multiple choice: what is asked, its pictures, and up to eight options.

A file that was chosen is kept at once, for no form can hold it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.documents import images
from annotation.models import Project
from frontend.leads.courses import shown_items
from frontend.leads.courses.forms import DraftForm
from frontend.requests import AuthedRequest
from qualification.courses import editing, pictures
from qualification.courses.content import LONGEST_ALT, MOST_PICTURES, ChoiceItem, ItemPicture, Option
from qualification.models import CourseVersion, Qualification

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
    def values_of(item: Any) -> dict[str, Any]:
        """What the form shows of an item; nothing without one."""
        if not isinstance(item, ChoiceItem):
            return {}
        shown: dict[str, Any] = {"concept": item.concept, "stem": item.stem, "note": item.note}
        for n, option in enumerate(item.options):
            shown |= {f"text_{n}": option.text, f"right_{n}": option.right, f"explanation_{n}": option.explanation}
        for n, picture in enumerate(item.pictures):
            shown |= {f"picture_{n}": picture.sha256, f"alt_{n}": picture.alt}
        return shown


ADD, REMOVE = "add-picture", "without-"
"""What a button sends as `go`: to add the chosen file, or to leave out the picture with the number that follows."""
UNFIT = _("%(name)s can’t be used. Pictures are PNG, JPEG, GIF or WebP files of at most 4 MB and 25 megapixels.")
FULL = _("An item has %(n)s pictures at most.")


@dataclass(frozen=True)
class SentItem:
    """What was sent of an item, with a chosen file among its pictures; why that can't be, or ""; whether only the
    pictures were changed.
    """

    fields: dict[str, Any]
    refused: str
    only_pictures: bool


def sent_item(request: AuthedRequest, project: Project, *, now: datetime) -> SentItem:
    """What the form of an item sent; a chosen file is kept for the project."""
    fields, go = request.POST.dict(), request.POST.get("go", "")
    rows = [(fields.get(f"picture_{n}", ""), fields.get(f"alt_{n}", "")) for n in range(MOST_PICTURES)]
    rows = [row for n, row in enumerate(rows) if row[0] and go != f"{REMOVE}{n}"]
    refused, file = "", request.FILES.get("new_picture")
    if file is not None:
        try:
            sha256 = pictures.keep(project, file.read(images.BYTES_LIMIT + 1), by=request.user, now=now)
            rows = _with(rows, sha256, fields.pop("new_alt", ""))
        except images.ImageRefused:
            refused = str(UNFIT) % {"name": file.name}
    elif go == ADD:
        refused = gettext("Choose a file first.")
    if len(rows) > MOST_PICTURES:
        rows, refused = rows[:MOST_PICTURES], str(FULL) % {"n": MOST_PICTURES}
    for n in range(MOST_PICTURES):
        fields[f"picture_{n}"], fields[f"alt_{n}"] = rows[n] if n < len(rows) else ("", "")
    return SentItem(fields, refused, go == ADD or go.startswith(REMOVE))


def _with(rows: list[tuple[str, str]], sha256: str, alt: str) -> list[tuple[str, str]]:
    """One that the item has already, though it may have been missing, gets the new text, if there is one."""
    if sha256 not in dict(rows):
        return [*rows, (sha256, alt)]
    return [(each, alt if alt and each == sha256 else said) for each, said in rows]


def add_missing_pictures(request: AuthedRequest, draft: CourseVersion, *, now: datetime) -> tuple[int, list[str]]:
    """Keep those of the sent files that are pictures that the draft names and the project lacks: how many were, and
    the names of the other files. A draft may name by its hash what is no picture.
    """
    project, added, others = draft.qualification.project, 0, []
    lacking = set(pictures.missing(editing.read(draft), project))
    for file in request.FILES.getlist("picture"):
        data = file.read(images.BYTES_LIMIT + 1)
        try:
            if hashlib.sha256(data).hexdigest() in lacking:
                pictures.keep(project, data, by=request.user, now=now)
                added += 1
                continue
        except images.ImageRefused:
            pass
        others.append(str(file.name))
    return added, others


def pictures_in_form(qualification: Qualification, form: ItemForm) -> dict[str, Any]:
    """The pictures of the form with their addresses, "" for one that is missing; whether there is room for another."""
    named = form.pictures()
    kept = pictures.kept_of(qualification.project, [each["sha256"] for each in named])
    rows = [each | {"url": shown_items.picture_url(qualification, each["sha256"], kept)} for each in named]
    return {"pictures": rows, "room": len(rows) < MOST_PICTURES, "longest_alt": LONGEST_ALT}
