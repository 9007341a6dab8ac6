"""The form of a judgement."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.judging.protocol import LONGEST_COMMENT
from annotation.values.forms import StageForm


class JudgeForm(StageForm):
    """A mark, which of its kinds, and a comment; the rubric says which marks there are."""

    mark = forms.CharField(label=_("Mark"), max_length=20, error_messages={"required": _("Choose a mark.")})
    part = forms.CharField(max_length=20, required=False)
    comment = forms.CharField(
        label=_("Comment"),
        required=False,
        max_length=LONGEST_COMMENT,
        error_messages={"max_length": _("The comment is too long. Shorten it.")},
    )

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        return {name: self.cleaned_data[name] for name in ("mark", "part", "comment")}

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        return dict(payload)


FORMS = {"judge": JudgeForm}
