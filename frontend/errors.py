"""Maps the domain's refusals to HTTP status and wording: one table, and a middleware that applies it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from redis.exceptions import RedisError

from annotation import errors
from annotation.db import full_disk
from annotation.html.limits import PageRefused
from annotation.models import Item
from frontend import unknown_proxy
from frontend.wording import noun_of_item
from frontend.work import revoked
from frontend.work.differences import in_words
from tasks.prolific.answers import ProlificFailed


@dataclass(frozen=True)
class RefusalPage:
    """How a refusal is shown: the status, a heading, what was kept and what to do next."""

    status: int
    heading: Any
    advice: Any


TABLE: dict[type[errors.Refused], RefusalPage] = {
    errors.PayloadInvalid: RefusalPage(
        422, _("This answer is not possible"), _("Nothing is lost. Change it and send it again.")
    ),
    errors.KeyReused: RefusalPage(
        422, _("This was already sent, with another answer"), _("The first answer counts. Open your work to go on.")
    ),
    errors.StalePage: RefusalPage(
        409,
        _("This page is out of date"),
        _("The work has moved on elsewhere. What you wrote here is below; nothing was overwritten."),
    ),
    errors.TakenOver: RefusalPage(
        409,
        _("You have this open in another tab"),
        _("The newer tab or device counts, so that the two cannot overwrite each other."),
    ),
    errors.StageLocked: RefusalPage(
        409, _("This stage is sealed"), _("It has been answered and can’t be answered again.")
    ),
    errors.AlreadyClosed: RefusalPage(
        409, _("This work is closed"), _("You have already finished, skipped or left it.")
    ),
    errors.PlaceTaken: RefusalPage(
        409,
        _("Somebody else’s answer has this place now"),
        _(
            "They had this before you and sent their answer late, while nothing of yours was saved. "
            "We are sorry: you did nothing wrong."
        ),
    ),
    errors.TakenOut: RefusalPage(
        409,
        _("This was withdrawn from the project"),
        _(
            "A lead has withdrawn it, and no one will get it any more. We are sorry: you did nothing wrong. "
            "What you had sent and saved is kept."
        ),
    ),
    errors.MembershipEnded: RefusalPage(
        409,
        _("You no longer work in this project"),
        _("A lead has ended your part in it. What you had finished counts, and what you had saved is kept."),
    ),
    errors.NotEligible: RefusalPage(403, _("You can’t do this work"), _("Ask a lead of the project.")),
    errors.NotQualified: RefusalPage(
        403, _("This work needs a qualification"), _("Your home page says which one you lack, and how you get it.")
    ),
    errors.ReasonMissing: RefusalPage(422, _("Say why"), _("Go back and give a reason.")),
    errors.WrongMove: RefusalPage(409, _("Someone else was first"), _("Open it again to see the current state.")),
    errors.ParticipantKnown: RefusalPage(
        409, _("You have joined before, with another account"), _("Sign out, and sign in with that one.")
    ),
    errors.AccountNameTaken: RefusalPage(422, _("This user name is taken"), _("Choose another one.")),
    errors.ImportRefused: RefusalPage(422, _("The import was refused"), _("Nothing was imported.")),
    errors.UploadRefused: RefusalPage(422, _("This file was refused"), _("What had arrived before is kept.")),
    errors.PartElsewhere: RefusalPage(409, _("This part was refused"), _("What had arrived before is kept.")),
    PageRefused: RefusalPage(
        422,
        _("This page can’t be shown"),
        _("Nobody can work on it here. No one will get it any more, and the leads see why."),
    ),
    errors.ReleaseRefused: RefusalPage(422, _("The release was refused"), _("Nothing was written.")),
    ProlificFailed: RefusalPage(409, _("Prolific has not done it"), _("Look at the page again, and try it later.")),
}


UNAVAILABLE = (OperationalError, RedisError)
"""Raised while the database, or Redis as the session cache, is unavailable."""


class RefusalMiddleware:
    """Renders refusals of views and services. A missing object and a forbidden one look the same (404)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        return _not_allowed(request, response) if response.status_code == 405 and not response.content else response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page of a refusal; None for other exceptions."""
        if isinstance(exception, UNAVAILABLE) or full_disk.is_full(exception):
            return _unavailable(request)
        if not isinstance(exception, errors.Refused):
            return None
        if isinstance(exception, errors.InviteClosed):
            return render(request, "accounts/link_closed.html", {"contact": settings.GOLDFINCH_CONTACT}, status=404)
        if isinstance(exception, errors.NotFound):
            return not_found(request)
        if isinstance(exception, errors.ConsentMissing):
            return redirect("consent", slug=exception.reason)
        if request.headers.get("Accept") == "application/json":
            said = {"reason": exception.reason, "message": exception.message}
            return JsonResponse(said, status=row_of(exception).status)
        if isinstance(exception, errors.SecondStepMissing):
            return redirect("mfa_activate_totp")
        return refused(request, exception)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The page for what doesn't exist. Django's own reads the request's body, and fails with 500 if it can't."""
    return render(request, "404.html", status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """For what can't be read at all. Django's own reads the body too; no page, as no middleware may have run."""
    host = unknown_proxy.unknown_host(request) if isinstance(exception, DisallowedHost) else ""
    text = host or gettext("This request can’t be read.")
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=400)


def _not_allowed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The page for an address that only takes what a form sends."""
    shown = render(request, "405.html", status=405)
    shown["Allow"] = response["Allow"]
    return shown


def row_of(refused: errors.Refused) -> RefusalPage:
    """The row of a refusal, by its class or the nearest base class in the table."""
    return next(TABLE[kind] for kind in type(refused).__mro__ if kind in TABLE)


def refused(request: HttpRequest, exception: errors.Refused, *, status: int = 0) -> HttpResponse:
    """A refusal as a page, or as the fragment that htmx swaps in; what was sent is shown again, to copy.

    `status` overrides that of the table.
    """
    row = row_of(exception)
    # Pairs: a template that asks a dictionary for its items gets the field of that name, if one was sent.
    given = ((name, values) for name, values in request.POST.lists() if name not in HIDDEN)
    words = ((name, [text for value in values for text in in_words(value) if text.strip()]) for name, values in given)
    sent = [(name.replace("_", " "), texts) for name, texts in words if texts]
    message = exception.message
    if isinstance(exception, errors.PayloadInvalid):
        message = " ".join(problem.message for problem in translated(exception))
    context = {"row": row, "message": message, "reason": exception.reason, "sent": sent}
    context |= {"away": revoked.away_of(request, exception), "noun": noun_of_item(_item_at(request))}
    return render(request, "work/refused.html", context, status=status or row.status)


def translated(refused: errors.PayloadInvalid) -> list[errors.Problem]:
    """What is wrong with an answer, in the person's language."""
    return [replace(problem, message=_in_words(problem)) for problem in refused.problems]


def _in_words(problem: errors.Problem) -> str:
    sentence = gettext(problem.message)
    return sentence % problem.values if problem.values else sentence


def _item_at(request: HttpRequest) -> Item | None:
    """The item that the URL names, if any."""
    named = request.resolver_match.kwargs.get("item_id") if request.resolver_match else None
    return Item.with_set_aside.select_related("project").filter(pk=named).first() if named else None


HIDDEN = (
    "csrfmiddlewaretoken",
    "submission_key",
    "client",
    "after",
    "base",
    "seen",
    "trace",
    "sent",
    "stage",
    *("edits", "act"),
)
"""Form fields that mean nothing to a person."""


def _unavailable(request: HttpRequest) -> HttpResponse:
    response = render(request, "503.html", status=503)
    response["Retry-After"] = "5"
    return response
