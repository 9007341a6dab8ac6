"""The form in which a lead lists whom to invite: one person on each line, pasted or in a CSV file."""

from __future__ import annotations

import csv
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation import randomness
from annotation.models import Role
from qualification.invitations import DAYS, Guest

MOST = 500
"""People invited at once."""
SHOWN = 5
"""How many wrong lines are named."""
TITLES = {"name", "e-mail", "email", "mail", "role"}
"""A first line of these is the heading of a table."""
LONGEST_NAME = 200
DELIMITERS = "\t;,"


class GuestLineRefused(Exception):
    """A line can't be read; says why."""


class GuestsForm(forms.Form):
    """Who is invited, in which role unless their line says another, for how long; `key` makes it idempotent."""

    guests = forms.CharField(required=False, max_length=100_000, widget=forms.Textarea)
    file = forms.FileField(required=False)
    role = forms.ChoiceField(choices=Role.choices, initial=Role.ANNOTATOR)
    days = forms.TypedChoiceField(choices=[(n, n) for n in DAYS], coerce=int, initial=DAYS[1])
    key = forms.UUIDField(initial=randomness.handle)

    def clean(self) -> dict[str, Any]:
        """Read the lines of both fields into `read`, a list of guests; name those that are wrong."""
        cleaned = super().clean() or {}
        text = f"{cleaned.get('guests', '')}\n{_text_of(cleaned.get('file'))}".replace("\0", "")
        lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
        if not lines:
            raise ValidationError(_("Write at least one name or e-mail address."))
        if len(lines) > MOST:
            raise ValidationError(_("Invite at most %(most)s people at once."), params={"most": MOST})
        cleaned["read"] = _read([line for _number, line in lines], role=cleaned.get("role", Role.ANNOTATOR))
        return cleaned

    def days_words(self) -> list[tuple[int, str]]:
        """The choices of `days`, in words."""
        return [(n, ngettext("%(n)s day", "%(n)s days", n) % {"n": n}) for n in DAYS]


def _text_of(file: Any) -> str:
    if file is None:
        return ""
    try:
        return str(file.read(), "utf-8-sig")
    except UnicodeDecodeError:
        raise ValidationError(_("The file is not text in UTF-8: save it as CSV in UTF-8.")) from None


def _read(lines: list[str], *, role: str) -> list[Guest]:
    delimiter = max(DELIMITERS, key="\n".join(lines).count)
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
    except csv.Error:
        raise ValidationError(_("The list can’t be read: is there a line for each person?")) from None
    if {cell.casefold() for cell in rows[0]} <= TITLES:
        rows = rows[1:]
    found, wrong = [], []
    for row in rows:
        try:
            found.append(_guest(row, role=role))
        except GuestLineRefused as refused:
            wrong.append(f"{delimiter.join(row)}: {refused}")
    if wrong:
        more = len(wrong) - SHOWN
        rest = [ngettext("… and %(n)s more line", "… and %(n)s more lines", more) % {"n": more}] if more > 0 else []
        raise ValidationError([*wrong[:SHOWN], *rest])
    if not found:
        raise ValidationError(_("Write at least one name or e-mail address."))
    return found


def _guest(row: list[str], *, role: str) -> Guest:
    """A line: an e-mail address has an @, a role is one of the three, what else there is is the name: one field only.

    A second one is more likely a misspelt role than a part of the name, and would make a link for another role.
    """
    emails = [cell for cell in row if "@" in cell]
    roles = [cell.casefold() for cell in row if cell.casefold() in Role.values]
    names = [cell for cell in row if cell and "@" not in cell and cell.casefold() not in Role.values]
    name = names[0] if names else ""
    if len(emails) > 1:
        raise GuestLineRefused(gettext("has two e-mail addresses"))
    if len(roles) > 1:
        raise GuestLineRefused(gettext("has two roles"))
    if len(names) > 1:
        raise GuestLineRefused(_no_role(names[-1]))
    if not (name or emails):
        raise GuestLineRefused(gettext("has neither a name nor an e-mail address"))
    if len(name) > LONGEST_NAME:
        raise GuestLineRefused(gettext("the name is too long"))
    try:
        for email in emails:
            validate_email(email)
    except ValidationError:
        raise GuestLineRefused(gettext("the e-mail address can’t be right")) from None
    return Guest(role=roles[0] if roles else role, name=name, email=emails[0] if emails else "")


def _no_role(word: str) -> str:
    said = gettext("“%(word)s” is no role (%(roles)s); a name that has a comma goes in double quotes")
    return said % {"word": word, "roles": ", ".join(Role.values)}
