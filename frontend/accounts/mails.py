"""The mails that Goldfinch itself writes; nothing is sent unless SMTP is set up (docs/operators.md)."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from annotation.models import Project, User
from qualification.models import Invite


def invite(rows: Iterable[tuple[Invite, str]], *, project: Project) -> int:
    """Send each link to the person it is for, if their address is known; returns how many were handed over."""
    subject = _("An invitation to %(project)s") % {"project": " ".join(project.title.split())}
    written = [
        EmailMessage(subject, _text("invitation", project=project, invite=one, link=link), to=[one.email])
        for one, link in rows
        if one.email
    ]
    get_connection().send_messages(written)
    return len(written)


def new_password(user: User, *, email: str, link: str) -> None:
    """Send a link for a new password; it works once, for `PASSWORD_RESET_TIMEOUT`."""
    text = _text("new_password", user=user, link=link, days=settings.PASSWORD_RESET_TIMEOUT // 86400)
    EmailMessage(_("A new password for Goldfinch"), text, to=[email]).send()


def _text(name: str, **context: object) -> str:
    return render_to_string(f"accounts/mails/{name}.txt", context)
