"""Sends mail in a thread of its own, so that no page waits for a mail server.

A page whose duration shows whether something was mailed would also tell whether an address is known.
"""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend
from django.db import Error as DatabaseError
from django.db import connections

log = logging.getLogger("frontend.mail")
_sending = ThreadPoolExecutor(1, thread_name_prefix="Mail")
OF_ONE = (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPDataError, ValueError)
"""Refusals of one message, after which the next one can be sent; ValueError for a header that can't be written."""


class QueuedMail(EmailMessage):
    """A message with `told`, which the thread calls with None once the server has taken it, or else with the error."""

    def __init__(self, subject: str, body: str, *, to: Sequence[str], told: Callable[[Exception | None], None]) -> None:
        super().__init__(subject, body, to=to)
        self.told = told


class Backend(BaseEmailBackend):
    """Hands messages over to the thread; what can't be sent is logged, without its text and its address."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Return at once; the number of messages handed over."""
        if email_messages:
            _sending.submit(_send, list(email_messages))
        return len(email_messages)


def _send(messages: list[EmailMessage]) -> None:
    """Over one connection. A refused message does not keep the others from being sent."""
    connection: Any = EmailBackend()
    try:
        connection.open()
        while messages:
            _tell(messages[0], _send_one(connection, messages[0]))
            messages.pop(0)
    except (OSError, smtplib.SMTPException) as error:
        log.error("Mail could not be sent: %s", type(error).__name__)
        for message in messages:
            _tell(message, error)
    finally:
        connection.close()
        connections.close_all()


def _send_one(connection: Any, message: EmailMessage) -> Exception | None:
    """The refusal of this message, or None. Raises what the next message would meet too."""
    try:
        connection.send_messages([message])
    except OF_ONE as error:
        log.error("The mail server refused a message: %s", type(error).__name__)
        return error
    return None


def _tell(message: EmailMessage, error: Exception | None) -> None:
    """The next message is sent even if the database can't be reached."""
    try:
        if isinstance(message, QueuedMail):
            message.told(error)
    except DatabaseError:
        log.exception("What became of a mail could not be stored.")
