"""The form of a judgement, and that of the marks of several exhibits on one screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.errors import Problem
from annotation.judging.checks import TOO_MANY, UNKNOWN, field_of
from annotation.judging.protocol import LONGEST_COMMENT
from annotation.judging.rubrics import MOST_COUNTED, Check, CheckAnswer, Rubric
from annotation.values.exhibits import ShownExhibit
from annotation.values.forms import StageForm
from annotation.values.records import ItemRecord

YES, NO = "yes", "no"
OF = "-of"


class AskedCheck(NamedTuple):
    """A check on the screen: its key there ("" for none), its field, and that of m if it is counted."""

    key: str
    check: Check
    field: BoundField
    of: BoundField | None


class JudgeForm(StageForm):
    """A mark, which of its kinds, a comment, and checks; the rubric says which marks and checks there are."""

    mark = forms.CharField(label=_("Mark"), max_length=20, error_messages={"required": _("Choose a mark.")})
    part = forms.CharField(max_length=20, required=False)
    comment = forms.CharField(
        label=_("Comment"),
        required=False,
        max_length=LONGEST_COMMENT,
        error_messages={"max_length": _("The comment is too long. Shorten it.")},
    )
    rubric: ClassVar[Rubric | None] = None

    @classmethod
    def for_item(cls, item: ItemRecord) -> type[JudgeForm]:
        """The form of an exhibit, with the checks of its rubric."""
        return cls.for_rubric(Rubric.model_validate(item.payload["rubric"], strict=False))

    @classmethod
    def for_rubric(cls, rubric: Rubric) -> type[JudgeForm]:
        """The form with the checks of this rubric."""
        fields = {name: field for check in rubric.checks for name, field in _fields(check)}
        return type(cls.__name__, (cls,), {"rubric": rubric, **fields})

    @property
    def asked(self) -> list[AskedCheck]:
        """The checks of the rubric, each with its fields."""
        keyed = self.rubric.keyed_checks if self.rubric else ()
        named = [(key, check, field_of(check.key)) for key, check in keyed]
        return [
            AskedCheck(key, check, self[name], self[name + OF] if check.counted else None) for key, check, name in named
        ]

    def clean(self) -> dict[str, Any]:
        """Each count has both of its numbers, and no check is answered that the rubric does not have."""
        found = super().clean() or {}
        for each in self.asked:
            if each.of is None or {each.field.name, each.of.name} & self.errors.keys():
                continue
            n, m = found[each.field.name], found[each.of.name]
            if (n is None) != (m is None):
                self._refuse(each, each.of.name if m is None else each.field.name, ONE_NUMBER)
            elif n is not None and n > m:
                self._refuse(each, each.field.name, TOO_MANY)
        known, start = {self.add_prefix(name) for name in self.fields}, self.add_prefix(field_of(""))
        if any(name.startswith(start) and name not in known for name in self.data):
            self.add_error(None, forms.ValidationError(_(UNKNOWN), "unknown"))
        return found

    def _refuse(self, each: AskedCheck, name: str, why: Any) -> None:
        self.add_error(name, forms.ValidationError(_(why), "wrong", {"check": each.check.title}))

    def payload(self) -> dict[str, Any]:
        """The payload of a valid form."""
        said = {name: self.cleaned_data[name] for name in ("mark", "part", "comment")}
        checked = dict(self._checked())
        return said | ({"checks": checked} if checked else {})

    def _checked(self) -> Iterator[tuple[str, bool | list[int]]]:
        for check in self.rubric.checks if self.rubric else ():
            name = field_of(check.key)
            said = self.cleaned_data[name]
            if check.counted and said is not None:
                yield check.key, [said, self.cleaned_data[name + OF]]
            elif not check.counted and said:
                yield check.key, said == YES

    @staticmethod
    def fields_of(payload: dict[str, Any]) -> dict[str, Any]:
        """The form fields that give this payload."""
        found = {name: value for name, value in payload.items() if name != "checks"}
        said: Mapping[str, CheckAnswer] = payload.get("checks", {})
        for key, answer in said.items():
            if isinstance(answer, bool):
                found[field_of(key)] = YES if answer else NO
            else:
                found[field_of(key)], found[field_of(key) + OF] = map(str, answer)
        return found


ONE_NUMBER = _("%(check)s: say how many of how many, or leave both empty.")
NO_NUMBER = _("%(check)s: write a number from %(least)s to %(most)s.")


class CountField(forms.Field):
    """A small number, None if it is empty. Unlike other numbers of forms it names no place: it is read as it is.

    `says`: the words in which it is read, with %(n)s.
    """

    def __init__(self, check: Check, *, least: int, says: Any = "%(n)s") -> None:
        super().__init__(label=check.title, required=False)
        self.check, self.least, self.says = check, least, says

    def to_python(self, value: Any) -> int | None:
        """The number, or None."""
        text = str(value or "").strip()
        if not text:
            return None
        if not re.fullmatch(r"[0-9]{1,9}", text) or not self.least <= int(text) <= MOST_COUNTED:
            values = {"check": self.check.title, "least": self.least, "most": MOST_COUNTED}
            raise forms.ValidationError(NO_NUMBER, "number", values)
        return int(text)


def _fields(check: Check) -> Iterator[tuple[str, forms.Field]]:
    name = field_of(check.key)
    if check.counted:
        yield name, CountField(check, least=0)
        yield name + OF, CountField(check, least=1, says=_("of %(n)s"))
    else:
        choices = ((YES, _("Yes")), (NO, _("No")))
        yield name, forms.ChoiceField(label=check.title, choices=choices, required=False)


FORMS = {"judge": JudgeForm}


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
            each.prefix: form(data, prefix=each.prefix, initial=own_fields(each.prefix, initial or {}))
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


def own_fields(prefix: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a part by its own names."""
    begin = f"{prefix}-"
    return {name.removeprefix(begin): value for name, value in data.items() if name.startswith(begin)}
