"""The mails that Goldfinch itself writes; nothing is sent unless SMTP is set up (docs/operators.md)."""

from __future__ import annotations

import smtplib
from collections.abc import Iterable
from functools import partial

from django.conf import settings
from django.core.mail import get_connection
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from annotation import clock
from annotation.models import Project, User
from frontend.server.mail import QueuedMail
from qualification import invitations
from qualification.models import Invite, MailOutcome

OUTCOMES: tuple[tuple[type[Exception], MailOutcome], ...] = (
    (smtplib.SMTPRecipientsRefused, MailOutcome.ADDRESS),
    (smtplib.SMTPAuthenticationError, MailOutcome.SIGN_IN),
    (smtplib.SMTPConnectError, MailOutcome.UNREACHABLE),
    (smtplib.SMTPServerDisconnected, MailOutcome.UNREACHABLE),
    (smtplib.SMTPException, MailOutcome.REFUSED),
    (OSError, MailOutcome.UNREACHABLE),
)
"""The first that fits an error; SMTPException is an OSError."""


def invite(rows: Iterable[tuple[Invite, str]], *, project: Project) -> int:
    """Send each link to the person it is for, if their address is known; returns how many were handed over."""
    subject = _("An invitation to %(project)s") % {"project": " ".join(project.title.split())}
    written = [(one, _text("invitation", project=project, invite=one, link=link)) for one, link in rows if one.email]
    invitations.forget_mails(invites=[one.pk for one, _text in written])
    letters = [
        QueuedMail(subject, text, to=[one.email], told=partial(_note, invite_id=one.pk)) for one, text in written
    ]
    get_connection().send_messages(letters)
    return len(letters)


def new_password(user: User, *, email: str, link: str) -> None:
    """Send a link for a new password; it works once, for `PASSWORD_RESET_TIMEOUT`.

    Nothing is stored before it has been sent: that would take time that shows whether an address is known.
    """
    text = _text("new_password", user=user, link=link, days=settings.PASSWORD_RESET_TIMEOUT // 86400)
    QueuedMail(_("A new password for Goldfinch"), text, to=[email], told=partial(_note, user_id=user.pk)).send()


def new_password_again(user: User, *, link: str) -> bool:
    """Send a link that a lead has made, if the site sends mail and knows the person's address; returns whether."""
    if not (settings.EMAIL_HOST and user.email):
        return False
    invitations.forget_mails(users=[user.pk])
    new_password(user, email=user.email, link=link)
    return True


def outcome_of(error: Exception | None) -> MailOutcome:
    """What a lead is told of an error: no more than who has to do something about it."""
    if error is None:
        return MailOutcome.SENT
    return next((outcome for kind, outcome in OUTCOMES if isinstance(error, kind)), MailOutcome.REFUSED)


def _note(error: Exception | None, **whose: int) -> None:
    invitations.note_mail(outcome_of(error), now=clock.now(), **whose)


def _text(name: str, **context: object) -> str:
    return render_to_string(f"accounts/mails/{name}.txt", context)
