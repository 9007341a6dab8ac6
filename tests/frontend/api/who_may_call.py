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
NOT_THERE = (401, 404, 403, 404, 403, 404, 404, 404, 403, 404, 404)
"""What the project of the table has none of."""


def changed(code: int) -> tuple[int, ...]:
    """By leads, who get this code for an empty body, with a token to lead."""
    return (*(401, 403, 403, 403, 403, 403, 403), code, *(403, 403, 404))


def of_own_work(answer: int) -> tuple[int, ...]:
    """What alice's script gets at her work, and everybody else."""
    return (401, 403, answer, 403, 404, 403, 403, 403, 404, 403, 403)


TABLE: dict[tuple[str, str], tuple[int, ...]] = {
    # route and method: what each of CALLERS gets
    ("api_schema", "GET"): (200,) * 11,
    ("api_projects", "GET"): (401,) + (200,) * 10,
    ("api_project", "GET"): (401, 404, 200, 200, 200, 200, 200, 200, 200, 404, 404),
    ("api_items", "GET"): READ_BY_LEADS,
    ("api_item", "GET"): READ_BY_LEADS,
    ("api_uploads", "GET"): READ_BY_LEADS,
    ("api_uploads", "POST"): changed(400),
    ("api_upload", "GET"): READ_BY_LEADS,
    ("api_upload", "PATCH"): changed(415),
    ("api_upload", "DELETE"): changed(204),
    ("api_imports", "GET"): READ_BY_LEADS,
    ("api_imports", "POST"): changed(400),
    ("api_import", "GET"): READ_BY_LEADS,
    ("api_cancel_import", "POST"): changed(200),
    ("api_undo_import", "POST"): changed(404),
    ("api_refused_lines", "GET"): READ_BY_LEADS,
    ("api_refused_file", "GET"): NOT_THERE,
    ("api_releases", "GET"): READ_BY_LEADS,
    ("api_releases", "POST"): changed(202),
    ("api_count_release", "POST"): changed(200),
    ("api_release_count", "GET"): NOT_THERE,
    ("api_build", "GET"): READ_BY_LEADS,
    ("api_cancel_build", "POST"): changed(200),
    ("api_release", "GET"): READ_BY_LEADS,
    ("api_retract_release", "POST"): changed(400),
    ("api_release_file", "GET"): READ_BY_LEADS,
    ("api_setup", "GET"): READ_BY_LEADS,
    ("api_setup", "PATCH"): changed(415),
    ("api_check_setup", "POST"): changed(415),
    ("api_queues", "GET"): READ_BY_LEADS,
    ("api_queue", "GET"): READ_BY_LEADS,
    ("api_queue", "PATCH"): changed(200),
    ("api_open_queue", "POST"): changed(200),
    ("api_pause_queue", "POST"): changed(200),
    ("api_close_queue", "POST"): changed(200),
    ("api_places", "GET"): READ_BY_LEADS,
    ("api_places", "POST"): changed(200),
    ("api_agreement", "GET"): READ_BY_LEADS,
    ("api_human_bound", "GET"): READ_BY_LEADS,
    ("api_figures", "GET"): READ_BY_LEADS,
    ("api_board", "GET"): READ_BY_LEADS,
    ("api_cases", "GET"): READ_BY_LEADS,
    ("api_case", "GET"): NOT_THERE,
    ("api_decide_case", "POST"): changed(404),
    ("api_decide_item", "POST"): changed(400),
    ("api_decide_annotation", "POST"): changed(400),
    ("api_people", "GET"): READ_BY_LEADS,
    ("api_person", "GET"): READ_BY_LEADS,
    ("api_end_membership", "POST"): changed(400),
    ("api_invitations", "GET"): READ_BY_LEADS,
    ("api_revoke_invitation", "POST"): changed(200),
    ("api_pay", "GET"): READ_BY_LEADS,
    ("api_pay", "POST"): changed(400),
    ("api_undo_pay", "POST"): changed(400),
    ("api_rounds", "GET"): READ_BY_LEADS,
    ("api_round", "GET"): NOT_THERE,
    ("api_round_results", "GET"): NOT_THERE,
    ("api_claim", "POST"): (401, 403, 200, 403, 200, 403, 403, 403, 403, 403, 403),
    ("api_search", "GET"): of_own_work(404),
    ("api_lobby", "GET"): of_own_work(404),
    ("api_lobby", "POST"): of_own_work(404),
    ("api_lobby", "DELETE"): of_own_work(404),
    ("api_here", "POST"): of_own_work(404),
    ("api_alone", "POST"): of_own_work(404),
    ("api_held_work", "GET"): (401, 403, 200, 403, 200, 403, 403, 403, 200, 403, 403),
    ("api_work", "GET"): of_own_work(200),
    ("api_work_renew", "POST"): of_own_work(200),
    ("api_work_take", "POST"): of_own_work(200),
    ("api_work_skip", "POST"): of_own_work(200),
    ("api_work_unskip", "POST"): of_own_work(409),
    ("api_work_return", "POST"): of_own_work(200),
    ("api_work_report", "POST"): of_own_work(400),
    ("api_work_end", "POST"): of_own_work(404),
    ("api_work_more_time", "POST"): of_own_work(404),
    ("api_work_flag", "POST"): of_own_work(404),
    ("api_work_step", "GET"): of_own_work(200),
    ("api_work_step", "POST"): of_own_work(400),
    ("api_work_draft", "PUT"): of_own_work(400),
    ("api_work_time", "POST"): of_own_work(400),
    ("api_work_page", "GET"): of_own_work(200),
    ("api_work_schema", "GET"): of_own_work(200),
    ("api_work_withdraw", "POST"): of_own_work(404),
    ("api_missing", "GET"): (404,) * 11,
}
PUBLIC = {"api_schema", "api_missing"}
"""No token is asked for."""
MISSING = {"rest": "nothing/"}
