"""Every address of an annotator's own work has a call that does the same, or a reason why it is in the browser only."""

from __future__ import annotations

from django.urls import get_resolver

CALLS = {
    "work": "api_work",
    "now": "api_work",
    "partner": "api_work",
    "stage": "api_work_step",
    "draft": "api_work_draft",
    "frame": "api_work_page",
    "find_quote": "api_work_quote",
    "replace": "api_work_replace",
    "reconsider": "api_work_reconsider",
    "withdraw": "api_work_withdraw",
    "renew": "api_work_renew",
    "take": "api_work_take",
    "skip": "api_work_skip",
    "unskip": "api_work_unskip",
    "give_back": "api_work_return",
    "report": "api_work_report",
    "explain": "api_work_explain",
    "flag": "api_work_flag",
    "chat": "api_work_chat",
    "more_time": "api_work_more_time",
    "end_lost": "api_work_end",
    "another_partner": "api_work_another",
    "claim": "api_claim",
    "search": "api_search",
    "lobby": "api_lobby",
    "enter_lobby": "api_lobby",
    "leave_lobby": "api_lobby",
    "here": "api_here",
    "prefer_part": "api_prefer_part",
    "alone": "api_alone",
    "finished": "api_finished",
    "time": "api_own_time",
    "messages": "api_messages",
    "messages_read": "api_messages_read",
    "guidelines": "api_guidelines",
    "home": "api_offers",
}
BROWSER_ONLY = {
    "image": "signed addresses are in the step, and need no token",
    "picture": "the same",
    "kept": "texts that a browser kept when it lost its connection",
    "signing_in": "a token has no session that ends",
    "search_time": "what a script shows of the results, nobody knows",
    "time_day": "amendments are a person's word",
    "consent": "a person reads and accepts it",
}
WAYS = ("next", "search", "lobby")
ACTIVITY = "projects/<slug:slug>/<slug:activity>/"
OF_WORK = ("work/", "page/<uuid", "picture/", "time/", "finished/", *(f"{ACTIVITY}{way}/" for way in WAYS))


def test_each_of_them_has_a_call_or_a_reason():
    routes = {found.name: str(found.pattern) for found in get_resolver().url_patterns if found.name}
    own = {name for name, pattern in routes.items() if pattern.startswith(OF_WORK)}
    elsewhere = {"home", "messages", "messages_read", "guidelines", "consent"}
    assert own | elsewhere == CALLS.keys() | BROWSER_ONLY.keys()
    assert set(CALLS.values()) <= routes.keys()
    assert not CALLS.keys() & BROWSER_ONLY.keys()
