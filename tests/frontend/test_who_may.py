"""Access control: every URL by every kind of person, and that a refusal about an object reveals nothing of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from annotation import clock, randomness, releases
from annotation.models import Role, User
from frontend import image_urls
from qualification import invitations
from tasks import assignments
from tasks.background import long_jobs
from tests.boards import bring_up_to_date
from tests.builders import GOOD, NO_ANSWER, PAGE, Worker, open_with, project, questions, reload, spend
from tests.people import NOON, join
from tests.pictures import png
from tests.uploading import asked, uploaded

ROLES = ("anonymous", "mallory", "alice", "bob", "erin", "lena", "otto")
"""Anonymous; not a member; holds the work; has work on the same item; expert; lead; lead of another project."""
TABLE = {
    # route and method: what each of ROLES gets
    ("home", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("login", "GET"): (200, 302, 302, 302, 302, 302, 302),
    ("account_login", "GET"): (200, 302, 302, 302, 302, 302, 302),
    # Nobody is between the two steps of signing in; tests/frontend/accounts/test_second_step.py is.
    ("mfa_authenticate", "GET"): (302, 302, 302, 302, 302, 302, 302),
    ("account_reset_password", "GET"): (200, 200, 200, 200, 200, 200, 200),
    ("account_reset_password_done", "GET"): (200, 200, 200, 200, 200, 200, 200),
    # A link that does not work; tests/frontend/accounts/test_passwords.py has one that does.
    ("account_reset_password_from_key", "GET"): (404, 404, 404, 404, 404, 404, 404),
    ("account", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("account_email_change", "POST"): (302, 422, 422, 422, 422, 422, 422),
    ("account_change_password", "GET"): (302, 200, 200, 200, 200, 200, 200),
    # Not without giving the password again; nobody has a second step.
    ("mfa_activate_totp", "GET"): (302, 302, 302, 302, 302, 302, 302),
    ("mfa_deactivate_totp", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("mfa_generate_recovery_codes", "GET"): (302, 302, 302, 302, 302, 302, 302),
    ("account_reauthenticate", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("mfa_reauthenticate", "GET"): (302, 302, 302, 302, 302, 302, 302),
    ("end_sign_ins", "POST"): (302, 302, 302, 302, 302, 302, 302),
    ("end_sign_in", "POST"): (302, 302, 302, 302, 302, 302, 302),
    ("logout", "POST"): (302, 302, 302, 302, 302, 302, 302),
    ("health", "GET"): (200, 200, 200, 200, 200, 200, 200),
    # Everybody's own pages, with an empty form.
    ("finished", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("time", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("time_day", "GET"): (302, 200, 200, 200, 200, 200, 200),
    ("time_day", "POST"): (302, 422, 422, 422, 422, 422, 422),
    ("human_bound", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Nothing has been measured there; tests/frontend/leads/test_human_bound.py downloads some.
    ("human_bound_csv", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("agreement", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Nothing is measured by a job in these tests; tests/frontend/leads/test_agreement.py has numbers.
    ("agreement_csv", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("agreement_svg", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("imports", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # A lead who names no file, and whose part says neither where it belongs nor its checksum.
    ("start_import", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("begin_upload", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("upload", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("upload", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("remove_upload", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("import", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("cancel_import", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("refused_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Nothing was refused; tests/frontend/leads/imports/test_import_pages.py downloads some.
    ("refused_lines", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("import_sample", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # An open link: whoever has it may join, with an account or a new one (here without a name).
    ("join", "GET"): (200, 200, 200, 200, 200, 200, 200),
    ("join", "POST"): (422, 302, 302, 302, 302, 302, 302),
    # The project is not open; tests/frontend/accounts/test_open_projects.py has one that is.
    ("join_open", "GET"): (404, 404, 404, 404, 404, 404, 404),
    ("join_open", "POST"): (404, 404, 404, 404, 404, 404, 404),
    ("recruiting", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("invite", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("give_password", "POST"): (302, 404, 404, 404, 404, 200, 404),
    ("renew_invite", "POST"): (302, 404, 404, 404, 404, 200, 404),
    ("revoke_invite", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("people", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # A lead who changes nothing: without a role, and without a text or key.
    ("person", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("write_to_person", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("end_membership", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("give_membership_back", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("change_role", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("messages", "GET"): (302, 404, 200, 200, 200, 200, 404),
    ("messages", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("messages_read", "POST"): (302, 404, 302, 302, 302, 302, 404),
    ("project_time", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("project_time_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("project_time_of", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Admins, and leads of any project; with an empty form.
    ("new_project", "GET"): (302, 404, 404, 404, 404, 302, 302),
    ("new_project_step", "GET"): (302, 404, 404, 404, 404, 200, 200),
    ("new_project_step", "POST"): (302, 404, 404, 404, 404, 422, 422),
    ("new_project_from_file", "POST"): (302, 404, 404, 404, 404, 422, 422),
    ("new_project_from_project", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("discard_new_project", "POST"): (302, 404, 404, 404, 404, 302, 302),
    ("protocol", "GET"): (302, 404, 404, 404, 404, 200, 200),
    # With an empty form; nothing was changed that could be undone.
    ("settings", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("settings", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("undo_setting", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("existing_items", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("existing_items", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("edit_guidelines", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("edit_guidelines", "POST"): (302, 404, 404, 404, 404, 200, 404),
    ("consent_text", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("consent_text", "POST"): (302, 404, 404, 404, 404, 200, 404),
    ("splits", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("splits", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("setup_file", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("queues", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("rehearsals", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("rehearsals", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("rehearsal", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("cancel_rehearsal", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("open_queue", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("pause_queue", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("close_queue", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("change_queue", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("project", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("board_live", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("board_svg", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("board_csv", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("items", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # A lead who has chosen nothing, and who has decided nothing.
    ("decide_items", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("undo", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("item", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("item_history", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Nobody works in pairs in this protocol; tests/frontend/leads/test_pauses.py pauses one in which they do.
    ("pause", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("resume", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("unfreeze", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("cancel", "POST"): (302, 404, 404, 404, 404, 422, 404),
    # A lead who gives no reason and no number, restores what is not excluded, and takes back what was not asked for.
    ("bring_back", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("replace_by", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("more_of_item", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("no_more_of_item", "POST"): (302, 404, 404, 404, 404, 409, 404),
    ("exclude_all", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("restore_all", "POST"): (302, 404, 404, 404, 404, 409, 404),
    ("exclude", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("restore", "POST"): (302, 404, 404, 404, 404, 409, 404),
    ("reopen", "POST"): (302, 404, 404, 404, 404, 422, 404),
    # It was not sent back.
    ("take_back_reopening", "POST"): (302, 404, 404, 404, 404, 409, 404),
    # Nothing can be flagged in this protocol, so there is no case; a lead of one decides in the tests of CoQA.
    ("decide_case", "POST"): (302, 404, 404, 404, 404, 404, 404),
    # Nobody chats in an activity with one seat.
    ("answer_chat", "POST"): (302, 404, 404, 404, 404, 404, 404),
    # An expert is told first what follows from seeing answers; a lead has nothing to begin.
    ("disputes", "GET"): (302, 404, 404, 404, 200, 200, 404),
    ("see_answers", "POST"): (302, 404, 404, 404, 302, 404, 404),
    ("tell_decisions", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("compared", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("compare", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # Nothing is disputed here; tests/frontend/experts/test_deciding.py has a dispute.
    ("dispute", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("decide_dispute", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("ask_for_more", "POST"): (302, 404, 404, 404, 404, 404, 404),
    # Nothing was asked for that could be taken back; erin would have to begin to see answers first.
    ("unask_for_more", "POST"): (302, 404, 404, 404, 404, 409, 404),
    ("write_reference", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("undo_decision", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("compared_page", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("consent", "GET"): (302, 404, 200, 200, 200, 200, 404),
    ("consent", "POST"): (302, 404, 302, 302, 302, 302, 404),
    ("guidelines", "GET"): (302, 404, 200, 200, 200, 200, 404),
    ("releases", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("release", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("new_release", "GET"): (302, 404, 404, 404, 404, 200, 404),
    # A lead who chooses nothing gets the defaults.
    ("new_release", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("count_release", "POST"): (302, 404, 404, 404, 404, 302, 404),
    ("release_job", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("cancel_release", "POST"): (302, 404, 404, 404, 404, 302, 404),
    # The format refused no item of that build.
    ("release_without", "POST"): (302, 404, 404, 404, 404, 404, 404),
    # It is the first; tests/frontend/leads/releases/test_changes.py has two.
    ("release_changes", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("release_changes_csv", "GET"): (302, 404, 404, 404, 404, 404, 404),
    # Without a reason.
    ("retract_release", "POST"): (302, 404, 404, 404, 404, 422, 404),
    ("release_file", "GET"): (302, 404, 404, 404, 404, 200, 404),
    ("image", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("search", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("search_time", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("claim", "POST"): (302, 404, 302, 302, 302, 403, 404),
    # An activity with one seat has no lobby; tests/frontend/test_lobby.py has one.
    ("lobby", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("enter_lobby", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("here", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("prefer_part", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("alone", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("leave_lobby", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("work", "GET"): (302, 404, 200, 404, 404, 404, 404),
    # Nobody waits for a partner in an activity with one seat.
    ("now", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("partner", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("flag", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("chat", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("chat", "POST"): (302, 404, 404, 404, 404, 404, 404),
    # Only with the signed address of a page of shared work; tests/frontend/pairs/test_signing_in.py has one.
    ("signing_in", "POST"): (404, 404, 404, 404, 404, 404, 404),
    ("more_time", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("end_lost", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("another_partner", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("renew", "POST"): (302, 404, 200, 404, 404, 404, 404),
    ("take", "POST"): (302, 404, 409, 404, 404, 404, 404),
    ("skip", "POST"): (302, 404, 302, 404, 404, 404, 404),
    ("unskip", "POST"): (302, 404, 409, 404, 404, 404, 404),
    ("give_back", "POST"): (302, 404, 302, 404, 404, 404, 404),
    ("report", "POST"): (302, 404, 422, 404, 404, 404, 404),
    # Nobody leaves a partner in an activity with one seat.
    ("explain", "GET"): (302, 404, 404, 404, 404, 404, 404),
    ("explain", "POST"): (302, 404, 302, 404, 404, 404, 404),
    ("stage", "GET"): (302, 404, 200, 404, 404, 404, 404),
    ("stage", "POST"): (302, 404, 409, 404, 404, 404, 404),
    ("replace", "POST"): (302, 404, 409, 404, 404, 404, 404),
    ("reconsider", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("withdraw", "POST"): (302, 404, 404, 404, 404, 404, 404),
    ("draft", "POST"): (302, 404, 422, 404, 404, 404, 404),
    ("kept", "POST"): (302, 404, 422, 404, 404, 404, 404),
    ("frame", "GET"): (302, 404, 200, 404, 404, 404, 404),
    ("find_quote", "GET"): (302, 404, 200, 404, 404, 404, 404),
    # Anybody with alice's signed URL: a frame document has no session to send along.
    ("picture", "GET"): (200, 200, 200, 200, 200, 200, 200),
}
PUBLIC = {"login", "account_login", "logout", "health", "picture", "signing_in", "join"}
PUBLIC |= {"join_open", "account_reset_password", "account_reset_password_done", "account_reset_password_from_key"}
"""Anonymous people are not sent to the sign-in page."""
MISSING = {"slug": "no-such-project", "card": "no-such-card", "version": 99, "code": "nobody", "example": "none.jsonl"}
MISSING |= {"section": "seventh", "protocol": "cuneiform"}
MISSING |= dict.fromkeys(("item_id", "task_id", "task", "invite", "job", "build", "rehearsal"), 10**9)
MISSING |= {name: randomness.handle() for name in ("uuid", "annotation", "upload")}


@pytest.fixture(scope="module")
def made(shared_rows, tmp_path_factory) -> dict:
    """URL arguments for alice's work, at its last stage; bob has work on the same items, and there is a release."""
    nq, tmp_path = project(), tmp_path_factory.mktemp("pages")
    alice, bob, lena = join(nq, "alice"), join(nq, "bob"), join(nq, "lena", Role.LEAD)
    join(nq, "erin", Role.EXPERT)
    User.objects.create(username="mallory")
    (tmp_path / "reef.png").write_bytes(png())
    open_with(nq, tmp_path, questions(3, split="dev", page=PAGE.replace("Anna Berg", '<img src="reef.png">Anna')))
    workers = [Worker(alice, nq), Worker(bob, nq)]
    for worker in workers:
        finished = worker.claim()
        worker.commit(finished, "question", GOOD)
        worker.commit(finished, "long_answer", NO_ANSWER)
    release = releases.build(nq, format="nq", splits=[], partial=True, by=lena, now=NOON, progress=lambda *seen: None)
    recipe = {"format": "nq", "splits": [], "partial": True, "until": None}
    build = long_jobs.ask(nq, "build_release", subject="All of it", asked=recipe, by=lena, now=NOON)
    rehearsal = long_jobs.ask(nq, "rehearsal", subject="3", asked={"items": 3}, by=lena, now=NOON)
    held = [worker.claim() for worker in workers]
    for worker, mine in zip(workers, held, strict=True):
        worker.commit(mine, "question", GOOD)
        box = assignments.work_of(reload(mine)).sheet("long_answer").boxes[1]
        worker.commit(mine, "long_answer", {"kind": "box", "candidate": box.index, "quote": box.excerpt[:200]})
    join(project("elsewhere"), "otto", Role.LEAD)
    spend(held[0], now=NOON + timedelta(minutes=1), ms=60_000)
    done = reload(finished).annotation
    [invited] = invitations.make(
        nq, [invitations.Guest("expert")], days=3, key=randomness.handle(), by=lena, now=clock.now()
    )
    bring_up_to_date(nq)
    return {
        "annotation": done.uuid, "item_id": done.item_id, "case": 1, "to": "upheld",
        "event": 1, "task": reload(finished).task_id, "task_id": reload(finished).task_id,
        "slug": nq.slug, "activity": "annotate", "uuid": held[0].uuid, "step": "short_answer",
        "version": release.version, "build": build.pk, "name": "manifest.json", "place": 1,
        "section": "words", "protocol": "nq", "card": "work",
        "day": NOON.date(), "code": alice.worker_code,
        "uidb36": "1", "key": "no-such-token", "pk": 1,
        "link": invited.token, "invite": invited.invite.pk,
        "token": image_urls.token(held[0].uuid, "short_answer"),
        "upload": uploaded(nq, lena, "more.jsonl", b"{}").uuid, "job": asked(nq, lena, questions(1)).pk,
        "example": "questions.jsonl", "rehearsal": rehearsal.pk,
    }  # fmt: skip


@pytest.fixture
def names(made: dict, db: None) -> dict:
    return made


def ask(role: str, route: str, method: str, names: dict, **kwargs):
    """Make one request as that person, by the name of the route."""
    browser = Client(SERVER_NAME="127.0.0.1", **kwargs)
    if role != "anonymous":
        browser.force_login(User.objects.get(username=role))
    return browser.generic(method, reverse(route, kwargs={part: names[part] for part in parts_of(route)}))


def parts_of(route: str) -> set[str]:
    """The names of what varies in a route's address."""
    return set(next(found for found in get_resolver().url_patterns if found.name == route).pattern.converters)


def test_every_url_is_in_the_table():
    assert {found.name for found in get_resolver().url_patterns} == {route for route, _ in TABLE}


@pytest.mark.parametrize(("route", "method"), TABLE)
def test_each_role_gets_what_the_table_says(names, route, method):
    answers = {}
    for role in ROLES:
        with transaction.atomic():
            answers[role] = ask(role, route, method, names)
            transaction.set_rollback(True)
    assert tuple(answer.status_code for answer in answers.values()) == TABLE[route, method]
    if route not in PUBLIC:
        assert answers["anonymous"]["Location"].startswith(reverse("login"))


@pytest.mark.parametrize("role", ROLES[1:])
def test_what_belongs_to_others_looks_like_what_does_not_exist(names, role, monkeypatch):
    monkeypatch.setattr("django.middleware.csrf.get_random_string", lambda length, allowed_chars: "x" * length)
    for (route, method), row in TABLE.items():
        if row[ROLES.index(role)] == 404:
            there = ask(role, route, method, names)
            for part in MISSING.keys() & parts_of(route):
                nowhere = ask(role, route, method, names | {part: MISSING[part]})
                assert (there.headers, there.content) == (nowhere.headers, nowhere.content), (route, method, part)
                assert str(there.cookies) == str(nowhere.cookies)


@pytest.mark.parametrize(("route", "method"), [row for row in TABLE if row[1] == "POST"])
def test_nothing_changes_by_get_or_without_the_csrf_token(names, route, method):
    if (route, "GET") not in TABLE:
        assert ask("alice", route, "GET", names).status_code == 405
    assert ask("alice", route, method, names, enforce_csrf_checks=True).status_code == 403


@pytest.mark.parametrize("role", ["bob", "lena", "otto"])
def test_the_control_the_page_of_your_own_work_is_not_the_404(names, role):
    assert ask("alice", "work", "GET", names).content != ask(role, "work", "GET", names).content
