"""The live part of a work page, by itself: what somebody who waits for a partner fetches when the partner has answered.

A template of a stage, and `<key>/waiting.html`, name that part with `{% partialdef live %}`. It is drawn from the
sheet alone, so that it costs little and can show nothing that the page may not.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from annotation.records import Waiting
from annotation.work import Work
from frontend.requests import AuthedRequest

TARGET = "live"
"""The id of the element that it replaces."""


def context(work: Work) -> dict[str, Any]:
    """The sheet of this moment, the address of the person's step ("" while they wait) and the fence of that step."""
    if isinstance(work.following, Waiting):
        return {"sheet": work.sheet_while_waiting(), "step": "", "seen": work.seen}
    step = work.current or work.own[-1].address
    return {"sheet": work.sheet(step), "step": step, "seen": work.seen_at(step)}


def fragment(request: AuthedRequest, work: Work) -> HttpResponse:
    """That part; X-Step says which step it is, so that a page that shows another one can fetch the whole."""
    shown = context(work)
    template = work.stage(shown["step"]).key if shown["step"] else "waiting"
    response = render(request, f"{work.protocol.key}/{template}.html#live", shown)
    response["X-Step"] = shown["step"]
    return response
