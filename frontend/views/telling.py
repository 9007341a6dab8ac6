"""Says on the next page why something was not done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from annotation.errors import WrongMove


@contextmanager
def refusal_told(request: HttpRequest) -> Iterator[None]:
    """Turn a move inside the block that is not possible (any more) into a message of the next page."""
    try:
        yield
    except WrongMove as why:
        messages.error(request, _(why.message))
