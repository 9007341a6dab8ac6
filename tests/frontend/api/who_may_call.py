"""What every token gets at every address of the API, by the name of its route; test_who_may_call.py walks it."""

from __future__ import annotations

from qualification.models import TokenScope

CALLERS = {
    # a name -> whose token it is, and its scope; that of a lead is for the project that they lead
    "nobody": None,
    "mallory reads": ("mallory", TokenScope.READ),
    "alice works": ("alice", TokenScope.WORK),
    "alice reads": ("alice", TokenScope.READ),
    "bob works": ("bob", TokenScope.WORK),
    "erin reads": ("erin", TokenScope.READ),
    "lena reads": ("lena", TokenScope.READ),
    "lena leads": ("lena", TokenScope.LEAD),
    "lena works": ("lena", TokenScope.WORK),
    "otto reads": ("otto", TokenScope.READ),
    "otto leads": ("otto", TokenScope.LEAD),
}
"""Mallory is no member; alice holds the work, bob has some on the same item; erin is an expert; otto leads another."""
READ_BY_LEADS = (401, 404, 403, 404, 403, 404, 200, 200, 403, 404, 404)
TABLE: dict[tuple[str, str], tuple[int, ...]] = {
    # route and method: what each of CALLERS gets
    ("api_schema", "GET"): (200,) * 11,
    ("api_projects", "GET"): (401,) + (200,) * 10,
    ("api_project", "GET"): (401, 404, 200, 200, 200, 200, 200, 200, 200, 404, 404),
    ("api_items", "GET"): READ_BY_LEADS,
    ("api_item", "GET"): READ_BY_LEADS,
    ("api_missing", "GET"): (404,) * 11,
}
PUBLIC = {"api_schema", "api_missing"}
"""No token is asked for."""
MISSING = {"rest": "nothing/"}
