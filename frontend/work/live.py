"""The live partial of a work page, which a page that waits for a partner fetches when the partner has answered.

The template of a stage, and `<key>/waiting.html`, mark it with `{% partialdef live %}`. It is rendered from the sheet
alone, so it is cheap and can't show more than the page may.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from annotation.engine.work import Work
from annotation.values.records import Waiting
from frontend.requests import AuthedRequest

TARGET = "live"
"""The id of the element that the partial replaces."""


def step_of(work: Work) -> str:
    """The address of the person's step; "" while they wait."""
    return "" if isinstance(work.following, Waiting) else work.current or work.own[-1].address


def context(work: Work) -> dict[str, Any]:
    """The current sheet, the address of the person's step ("" while they wait), and its `seen` (optimistic lock)."""
    if not (step := step_of(work)):
        return {"sheet": work.sheet_while_waiting(), "step": "", "seen": work.seen}
    return {"sheet": work.sheet(step), "step": step, "seen": work.seen_at(step)}


def fragment(request: AuthedRequest, work: Work) -> HttpResponse:
    """The live partial; X-Step names its step, so that a page that shows another step knows that it needs another."""
    shown = context(work)
    template = work.stage(shown["step"]).key if shown["step"] else "waiting"
    response = render(request, f"{work.protocol.key}/{template}.html#live", shown)
    response["X-Step"] = shown["step"]
    return response
