"""Flag what a partner has said: the reasons that the dialog offers, and what follows when it is sent."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.protocol import Activity
from frontend.requests import AuthedRequest
from tasks.models import Assignment
from tasks.pairs import flag_rates

LONGEST = 1000
"""Characters of the text."""
FLAGGED = _("Flagged. A lead looks at it; your partner is not told.")


class FlagReasonChoice(NamedTuple):
    """A reason, and the stages whose answers can be flagged for it, separated by blanks."""

    key: str
    title: str
    stages: str


def reasons_of(activity: Activity) -> tuple[FlagReasonChoice, ...]:
    """What the dialog offers, the reasons of a single stage first; () where nobody has a partner."""
    if len(activity.seats) == 1:
        return ()
    titles = {key: title for stage in activity.stages for key, title in stage.flags}
    stages = {key: [stage.key for stage in activity.stages if key in dict(stage.flags)] for key in titles}
    first = sorted(titles, key=lambda key: len(stages[key]))
    return tuple(FlagReasonChoice(key, gettext(titles[key]), " ".join(stages[key])) for key in first)


def flag(request: AuthedRequest, assignment: Assignment, *, now: datetime) -> HttpResponse:
    """The page stays as it is; or, if the work was ended by it, the page that both see then.

    Who wants to discuss it first flags nothing: their page opens the side chat by itself.
    """
    sent, ends = request.POST, request.POST.get("how") == "end"
    if sent.get("how") == "discuss":
        return HttpResponse(status=204)
    flag_rates.flag(
        assignment,
        sent.get("step", ""),
        by=request.user,
        reason=sent.get("reason", ""),
        text=" ".join(sent.get("text", "").split())[:LONGEST],
        ends=ends,
        now=now,
    )
    if request.htmx:
        return HttpResponse(
            status=204, headers={"HX-Redirect": reverse("partner", args=[assignment.uuid])} if ends else {}
        )
    if ends:
        return redirect("partner", assignment.uuid)
    messages.success(request, FLAGGED)
    return redirect("work", assignment.uuid)
