"""Writing a reference on the work screen: what was typed on the page of references is there when one comes back.

It is kept in the session, so that it is gone with it; the answer itself is an ordinary trial, and stays.
"""

from __future__ import annotations

import uuid as uuids
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from frontend.requests import AuthedRequest
from qualification.models import Try

KEPT = "references_begun"
MOST = 5
"""Pages of references that are kept for a session, the latest ones."""


def keep(request: AuthedRequest, trial: uuids.UUID, url: str) -> None:
    """Keep what was sent to the page of references at `url`, from which the trial was begun."""
    begun = [each for each in request.session.get(KEPT, []) if each["url"] != url]
    sent = request.POST.copy()
    for name in ("csrfmiddlewaretoken", "go"):
        sent.pop(name, None)
    request.session[KEPT] = [*begun, {"url": url, "trial": str(trial), "sent": sent.urlencode()}][-MOST:]


def kept(request: AuthedRequest, url: str) -> QueryDict | None:
    """What was kept of the page at this address, with the answers that the address of the request names; None if
    nothing was.
    """
    found = next((each for each in request.session.get(KEPT, []) if each["url"] == url), None)
    if found is None:
        return None
    sent = QueryDict(found["sent"], mutable=True)
    for answer in request.GET.getlist("answer"):
        if answer not in sent.getlist("reference"):
            sent.appendlist("reference", answer)
    return sent


def forget(request: AuthedRequest, url: str) -> None:
    """It was saved."""
    if KEPT in request.session:
        request.session[KEPT] = [each for each in request.session[KEPT] if each["url"] != url]


def begun_at(request: AuthedRequest, trial: uuids.UUID) -> str:
    """The page of references from which a trial was begun; "" if it was begun elsewhere, or in another session."""
    return next((each["url"] for each in request.session.get(KEPT, []) if each["trial"] == str(trial)), "")


def page_for(request: AuthedRequest, held: Try) -> str:
    """The page of references from which a trial was begun, with its answer chosen; "" if it was begun elsewhere."""
    url = begun_at(request, held.uuid)
    return with_answers(url, [held.annotation.uuid]) if url else ""


def with_answers(url: str, answers: Iterable[Any]) -> str:
    """The address of a page of references with these answers chosen."""
    query = urlencode([("answer", each) for each in answers])
    return f"{url}?{query}" if query else url
