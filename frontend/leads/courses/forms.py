"""The forms in which leads write a course: its rules, a block, a list of items; `item_form` has that of an item.

`edits` is how many changes of the draft the page had seen, so that nobody overwrites another's.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from qualification.courses.content import LONGEST_GUIDELINES, Course, ExamBlock
from qualification.courses.editing import MOST_UNPAID_MINUTES

MARK = re.compile(r"\d{1,4}(\.\d{1,6}|/[1-9]\d{0,5})?", re.ASCII)


class DraftForm(forms.Form):
    """A form about the draft of a course."""

    edits = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class RulesForm(DraftForm):
    """What holds for the whole course."""

    attempts = forms.IntegerField(
        label=_("Attempts"), min_value=1, max_value=20, help_text=_("How many times somebody can sit the exam.")
    )
    wait_hours = forms.IntegerField(
        label=_("Hours between two attempts"),
        min_value=0,
        max_value=24 * 60,
        help_text=_("Extra training is followed by an attempt without waiting."),
    )
    minutes = forms.IntegerField(
        label=_("Minutes for the exam"), min_value=1, max_value=24 * 60, required=False, help_text=_("Empty: no limit.")
    )
    extension = forms.IntegerField(
        label=_("Minutes that a candidate can add once"),
        min_value=0,
        max_value=24 * 60,
        help_text=_("0: none. Without a limit it has no effect."),
    )
    paid = forms.BooleanField(
        label=_("Its time is paid"),
        required=False,
        help_text=_("Time in a course is working time: it is paid, or the exam lasts at most 15 minutes."),
    )
    guidelines = forms.CharField(
        label=_("Guidelines"),
        max_length=LONGEST_GUIDELINES,
        required=False,
        help_text=_("In Markdown, read before the tutorial. Empty: the guidelines of the project are read."),
    )

    def clean(self) -> dict[str, Any]:
        """Unpaid exams are short."""
        cleaned = super().clean() or {}
        long = (cleaned.get("minutes") or 24 * 60) + (cleaned.get("extension") or 0) > MOST_UNPAID_MINUTES
        if not self.errors and not cleaned["paid"] and long:
            raise ValidationError({"minutes": _("If it is not paid, at most 15, with the minutes that can be added.")})
        return cleaned

    def changed(self, course: Course) -> Course:
        """The course with these rules."""
        return course.model_copy(update={name: self.cleaned_data[name] for name in self.RULES})

    RULES = ("attempts", "wait_hours", "minutes", "extension", "paid", "guidelines")

    @staticmethod
    def values_of(course: Course) -> dict[str, Any]:
        """What the form shows of a course."""
        return {name: getattr(course, name) for name in RulesForm.RULES}


class BlockForm(DraftForm):
    """A block without its items."""

    title = forms.CharField(
        label=_("Title"), max_length=120, error_messages={"required": _("Give it a title that people understand.")}
    )
    about = forms.CharField(
        label=_("What it is about"),
        max_length=500,
        required=False,
        help_text=_("Candidates read this before the exam and beside their points."),
    )
    draw = forms.IntegerField(
        label=_("Items that are drawn"),
        min_value=1,
        max_value=100,
        help_text=_("Each attempt gets so many items of the pool, none of them twice."),
    )
    mark = forms.CharField(
        label=_("Points to pass it"),
        max_length=12,
        help_text=_("Each item is worth one point. Such as 4.6, or 7/2."),
        error_messages={"required": _("Say how many points pass it.")},
    )
    extra = forms.BooleanField(
        label=_("Extra training"),
        required=False,
        help_text=_("Who fails only blocks of this kind is led through the tutorial items about it, then tries again."),
    )

    def clean_mark(self) -> str:
        """An exact number; a comma is as good as a point."""
        mark: str = self.cleaned_data["mark"].replace(",", ".").replace(" ", "")
        if not MARK.fullmatch(mark):
            raise ValidationError(_("Write a number such as 4, 4.6 or 7/2."))
        return mark

    def clean(self) -> dict[str, Any]:
        """What has to be reached can be reached."""
        cleaned = super().clean() or {}
        if not self.errors and Fraction(cleaned["mark"]) > cleaned["draw"]:
            raise ValidationError({"mark": _("More points than can be reached: each item is worth one.")})
        return cleaned

    def block(self, key: str, before: ExamBlock | None) -> ExamBlock:
        """The block with this key, and the items that it has."""
        kept = {name: self.cleaned_data[name] for name in ("title", "about", "draw", "mark", "extra")}
        return ExamBlock(key=key, pool=before.pool if before else (), **kept)

    @staticmethod
    def values_of(block: Any) -> dict[str, Any]:
        """What the form shows of a block, or begins with without one."""
        shown = {"title", "about", "draw", "mark", "extra"}
        return block.model_dump(include=shown) if isinstance(block, ExamBlock) else {"draw": 2, "mark": ""}


class ManyItemsForm(DraftForm):
    """A list of items, pasted or as a file."""

    text = forms.CharField(max_length=512 * 1024, required=False, strip=False)
    file = forms.FileField(required=False, allow_empty_file=True)

    def data_sent(self) -> bytes:
        """What was sent; the file, if there is one."""
        sent = self.cleaned_data["file"]
        return bytes(sent.read()) if sent else str(self.cleaned_data["text"]).encode()
