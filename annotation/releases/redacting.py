"""Take people's names out of what leads and experts wrote, before a release publishes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.apps import apps

from annotation.models import Membership, Project

IDENTIFYING = {
    "annotation.User": ("username", "first_name", "last_name", "email", "worker_code"),
    "annotation.Message": (),
    "qualification.Invite": ("name", "email"),
    "qualification.Participant": ("external_id",),
    "qualification.SignIn": ("address",),
    "qualification.ApiToken": (),
    "account.EmailAddress": ("email",),
    "account.EmailConfirmation": (),
    "mfa.Authenticator": (),
}
"""The columns that identify people, of each table with personal data (`people.PERSONAL`); no message is released."""
SHORTEST = 3
"""Shorter names would hit ordinary words."""
SOMEBODY = "[person]"
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")


class Redactor:
    """Replaces whatever identifies somebody who is or was in a project, and every e-mail address."""

    def __init__(self, project: Project, *, using: str = "default") -> None:
        names = {name for name in _names(project, using=using) if len(name) >= SHORTEST}
        longest_first = sorted(names, key=lambda name: (-len(name), name))
        self._names = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
        self._any = bool(names)

    def redacted(self, text: str) -> str:
        """The text without them."""
        text = _MAIL.sub(SOMEBODY, text)
        return self._names.sub(SOMEBODY, text) if self._any else text


def _names(project: Project, *, using: str) -> Iterator[str]:
    """Of the project's members, past ones included, and of whoever was invited into it."""
    members = set(Membership.objects.using(using).filter(project=project).values_list("user", flat=True))
    for label, columns in IDENTIFYING.items():
        if not columns:
            continue
        model = apps.get_model(label)
        fields = {field.name for field in model._meta.get_fields()}
        if label == "annotation.User":
            rows = model._default_manager.using(using).filter(pk__any_of=members)
        elif "project" in fields:
            rows = model._default_manager.using(using).filter(project=project)
        else:
            rows = model._default_manager.using(using).filter(user__any_of=members)
        for row in rows.values_list(*columns):
            yield from row
