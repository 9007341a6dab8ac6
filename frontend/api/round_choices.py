"""What a call chooses for a judging round, as the form of its page reads it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from annotation import registry
from annotation.models import JudgingRound, Project
from frontend.api.sent import checked_form, people_named
from frontend.leads.judging.forms import STRATUM, RoundForm, choices_of, first_choices
from tasks.judging import raters


def form_of_new(project: Project, sent: dict[str, Any]) -> RoundForm:
    """The valid form of a new round: what was sent, and for the rest what the page has at first.

    ValidationError with the sentences of the page.
    """
    return _checked(RoundForm(project, first_choices(project, sent["kind"]) | _values(project, sent)))


def form_of_draft(row: JudgingRound, sent: dict[str, Any]) -> RoundForm:
    """The same for a draft: what was sent, and for the rest its choices."""
    now = choices_of(row)
    if "strata" in sent:
        now = {name: value for name, value in now.items() if not name.startswith(STRATUM)}
    return _checked(RoundForm(row.project, now | _values(row.project, sent), row=row))


def _values(project: Project, sent: dict[str, Any]) -> dict[str, Any]:
    """The fields of the form: keys of people for their worker codes, and a field for each type of item."""
    values = {name: value for name, value in sent.items() if name not in ("strata", "raters", "chair", "systems")}
    if "raters" in sent:
        named = people_named(sent["raters"], among=raters.candidates(project), field="raters")
        values["raters"] = [person.pk for person in named]
    if "chair" in sent:
        codes = [sent["chair"]] if sent["chair"] else []
        chair = people_named(codes, among=raters.candidates(project), field="chair")
        values["chair"] = chair[0].pk if chair else ""
    if "systems" in sent:
        values["systems"] = [str(each) for each in sent["systems"]]
    return values | _strata(project, sent.get("strata", {}))


def _strata(project: Project, strata: dict[str, int]) -> dict[str, int]:
    if unknown := sorted(set(strata) - set(registry.get(project.protocol).item_types)):
        raise ValidationError({"strata": {name: [_("There is no such type.")] for name in unknown}})
    return {f"{STRATUM}{name}": n for name, n in strata.items()}


def _checked(form: RoundForm) -> RoundForm:
    try:
        checked_form(form)
    except ValidationError as wrong:
        # What is wrong with a type, by the name that the call has for it.
        raise ValidationError({_name_of(name): said for name, said in wrong.detail.items()}) from None
    return form


def _name_of(field: str) -> str:
    return f"strata.{field.removeprefix(STRATUM)}" if field.startswith(STRATUM) else field
