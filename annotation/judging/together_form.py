"""The form of the marks of several exhibits on one screen: the form of each, with a prefix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext

from annotation.errors import Problem
from annotation.judging.forms import JudgeForm
from annotation.judging.rubrics import Rubric
from annotation.values.exhibits import ShownExhibit
from annotation.values.forms import StageForm


@dataclass(frozen=True)
class JudgedCandidate:
    """One of the exhibits of a screen: `shown` is what it does not share with the others, above all the answer.

    `problems`: what is wrong with what was sent about it, in sentences.
    """

    letter: str
    prefix: str
    shown: ShownExhibit
    form: Any = None
    problems: tuple[str, ...] = field(default=())


class TogetherForm:
    """As `StageForm`; subclasses say which `candidates` it is about. A payload is those of the candidates by prefix."""

    candidates: ClassVar[tuple[JudgedCandidate, ...]] = ()
    rubric: ClassVar[Rubric]
    entry_in_words = staticmethod(StageForm.entry_in_words)

    def __init__(self, data: Any = None, *, initial: Mapping[str, Any] | None = None) -> None:
        form = JudgeForm.for_rubric(self.rubric)
        self.forms = {
            each.prefix: form(data, prefix=each.prefix, initial=_own(each.prefix, initial or {}))
            for each in self.candidates
        }

    @property
    def fields(self) -> dict[str, forms.Field]:
        """The fields of all, named by the letters; marks by their titles, so that what differs can be told in words."""
        return {
            f"{each.prefix}-{name}": self._told(each, name, found)
            for each in self.candidates
            for name, found in self.forms[each.prefix].fields.items()
        }

    def _told(self, candidate: JudgedCandidate, name: str, field_: forms.Field) -> forms.Field:
        marks = [(mark.key, mark.title) for mark in self.rubric.marks]
        parts = [(part.key, part.title) for mark in self.rubric.marks for part in mark.parts]
        choices = {"mark": marks, "part": parts}
        said = self.forms[candidate.prefix].fields["mark"].label if name == "part" else field_.label
        label = f"{candidate.letter}: {said}" if said else ""
        if name in choices:
            return forms.ChoiceField(label=label, choices=choices[name], required=False)
        told = copy(field_)
        told.label, told.required = label, False
        return told

    def is_valid(self) -> bool:
        """Whether each of them is."""
        return all(form.is_valid() for form in self.forms.values())

    def payload(self) -> dict[str, Any]:
        """The payload of each, by prefix."""
        return {prefix: form.payload() for prefix, form in self.forms.items()}

    def left(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def problems(self) -> list[Problem]:
        """What is wrong, by field; each says about which exhibit."""
        return [lettered(each, problem) for each in self.candidates for problem in self.forms[each.prefix].problems()]

    def __iter__(self) -> Iterator[JudgedCandidate]:
        """The candidates with their forms."""
        for each in self.candidates:
            form = self.forms[each.prefix]
            said = tuple(problem.message for problem in form.problems()) if form.is_bound else ()
            yield JudgedCandidate(each.letter, each.prefix, each.shown, form, said)


def lettered(candidate: JudgedCandidate, problem: Problem) -> Problem:
    """A problem of one of them as one of all."""
    said = gettext(problem.message)
    return Problem(
        field=f"{candidate.prefix}-{problem.field}",
        code=problem.code,
        message=f"{candidate.letter}: {said % problem.values if problem.values else said}",
    )


def _own(prefix: str, data: Mapping[str, Any]) -> dict[str, Any]:
    begin = f"{prefix}-"
    return {name.removeprefix(begin): value for name, value in data.items() if name.startswith(begin)}
