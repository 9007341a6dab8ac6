"""Sends mail in a thread of its own, so that no page waits for a mail server.

A page whose duration shows whether something was mailed would also tell whether an address is known.
"""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend

log = logging.getLogger("frontend.mail")
_sending = ThreadPoolExecutor(1, thread_name_prefix="Mail")


class Backend(BaseEmailBackend):
    """Hands messages over to the thread; what can't be sent is logged, without its text and its address."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Return at once; the number of messages handed over."""
        if email_messages:
            _sending.submit(_send, list(email_messages))
        return len(email_messages)


def _send(messages: Sequence[EmailMessage]) -> None:
    """Over one connection. A refused recipient does not keep the others from getting theirs."""
    connection: Any = EmailBackend()
    try:
        connection.open()
        for message in messages:
            try:
                connection.send_messages([message])
            except smtplib.SMTPRecipientsRefused:
                log.error("The mail server refused a recipient.")
    except (OSError, smtplib.SMTPException) as error:
        log.error("Mail could not be sent: %s", type(error).__name__)
    finally:
        connection.close()
