"""Says on the page from which something was asked why Prolific, or the site, has not done it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from annotation.errors import WrongMove
from tasks.prolific.answers import ProlificFailed
from tasks.prolific.api import TurnedAway


@contextmanager
def told(request: HttpRequest) -> Iterator[None]:
    """Turn a refusal inside the block into a message of the next page."""
    try:
        yield
    except TurnedAway as turned_away:
        messages.error(request, refusal_words(turned_away))
    except (ProlificFailed, WrongMove) as why:
        messages.error(request, _(why.message))


def refusal_words(turned_away: TurnedAway) -> str:
    """What Prolific has refused, in words."""
    if turned_away.status in {401, 403}:
        return _("Prolific does not accept the token.")
    if turned_away.status == 404:
        return _("Prolific knows nothing with this id, or shows it to the token’s owner only.")
    return _("Prolific refuses it: %(words)s") % {"words": turned_away.message}
