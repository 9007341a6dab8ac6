"""Claim work by script, and say why there is none, or why somebody may not have it, in the words of the pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from annotation import randomness
from annotation.errors import ConsentMissing, NotEligible, WrongMove
from annotation.models import Project, User
from frontend.work import lobby, search
from frontend.work.beginning import missing, no_work, offers
from tasks.engine import claiming
from tasks.engine.eligibility import refusal_for, why_not_claim
from tasks.engine.no_work import NoWork
from tasks.models import Assignment


def claim(project: Project, activity: str, *, by: User, result: str, now: datetime) -> Assignment | NoWork:
    """What the person holds, or else the next work; of a search, the `result` that they have chosen.

    Raises ConsentMissing, NotEligible, and WrongMove for work to which a lobby leads.
    """
    if lobby.lobby_of(project.protocol, activity):
        raise WrongMove(_("Enter the lobby of this work instead: a partner is found there."), reason="lobby_first")
    chosen = search.chosen(by, project, activity, result)
    try:
        claimed = claiming.claim(project, activity, by=by, now=now, item=chosen.item if chosen else None)
    except NotEligible as why:
        raise in_words(why, by, project, activity) from None
    if chosen and isinstance(claimed, Assignment):
        search.record_opening(claimed, chosen, by=by, now=now)
    return claimed


def in_words(why: NotEligible, user: User, project: Project, activity: str) -> ConsentMissing | NotEligible:
    """The refusal of a claim, or of a lobby, with the sentence of its page."""
    if why.reason == "consent_missing":
        return ConsentMissing(reason=project.slug)
    if why.reason == "not_qualified":
        lacking = missing.missing_qualifications(user, project, activity)
        return type(why)(missing.missing_in_words(lacking), reason=why.reason)
    return type(why)(str(offers.WHY_NOT.get(why.reason, "")), reason=why.reason)


def none_left(project: Project, activity: str, nothing: NoWork) -> dict[str, Any]:
    """Why there is no work, and when to look again (None: not known)."""
    said = no_work.why_none(project, activity, nothing)
    return {"reason": nothing.reason, "message": str(said), "next_at": nothing.next_at}


def results(project: Project, activity: str, sent: Mapping[str, str], *, by: User) -> dict[str, Any]:
    """A page of results of the search for work, or of a random sample; what was shown is recorded, as on the page."""
    found = search.searchable(project, activity)
    if refused := why_not_claim(by, project, activity):
        raise in_words(refusal_for(refused), by, project, activity)
    query = sent.get("q", "").strip()[: search.LONGEST_QUERY]
    seed = "" if query else sent.get("seed", "")[:40] or randomness.seed()
    shown = search.results_of(by, project, found, query=query, seed=seed, page=sent.get("page", "1"))
    return {
        "query": query,
        "seed": seed,
        "page": shown["page"].number,
        "pages": shown["page"].paginator.num_pages,
        "results": [
            {"title": _text(one["hit"].title), "excerpt": _text(one["hit"].excerpt), "result": one["token"]}
            for one in shown["results"]
        ],
    }


def _text(pieces: Iterable[tuple[str, bool]]) -> str:
    return "".join(text for text, _found in pieces)
