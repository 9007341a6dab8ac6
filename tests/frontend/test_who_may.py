"""Access control: every URL by every kind of person, and that a refusal about an object reveals nothing of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import cache

import pytest
from django.contrib.sessions.backends.cached_db import SessionStore
from django.core.cache import caches
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from annotation import clock, randomness, releases
from annotation.models import Role, User
from frontend import image_urls
from frontend.leads.items import bulk_job
from frontend.leads.items.bulk_decisions import BulkDecision
from frontend.leads.items.filters import Filter
from qualification import invitations
from qualification.courses import editing, pictures, sitting
from tasks.background import long_jobs
from tasks.engine import assignments
from tasks.webhooks import sending
from tests.boards import bring_up_to_date
from tests.builders import GOOD, NO_ANSWER, PAGE, Worker, open_with, project, questions, reload, spend
from tests.factories.outgoing import AllowedHostFactory
from tests.factories.people import UserFactory
from tests.factories.prolific import StudyFactory, StudyGroupFactory
from tests.factories.qualification import CourseVersionFactory, ExtraTimeFactory, GrantFactory, QualificationFactory
from tests.factories.record import PaymentFactory
from tests.factories.webhooks import WebhookFactory
from tests.frontend.who_may import MISSING, PUBLIC, ROLES, TABLE
from tests.people import NOON, join
from tests.pictures import png
from tests.qualification.courses.building import prepare, sit, three_blocks, with_pictures
from tests.uploading import asked, uploaded


@pytest.fixture(scope="module")
def made(shared_rows, tmp_path_factory) -> dict:
    """URL arguments for alice's work, at its last stage; bob has work on the same items, and there is a release."""
    nq, tmp_path = project(), tmp_path_factory.mktemp("pages")
    alice, bob, lena = join(nq, "alice"), join(nq, "bob"), join(nq, "lena", Role.LEAD)
    join(nq, "erin", Role.EXPERT)
    UserFactory(username="mallory", password="no-member-of-anything")
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
    decision = BulkDecision("exclude", "", "copied from a friend", 0)
    decided = bulk_job.ask(nq, Filter(), decision, by=lena, now=NOON)
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
    reading = QualificationFactory(project=nq)
    picture = pictures.keep(nq, png(), by=lena, now=NOON)
    CourseVersionFactory(qualification=reading, course=with_pictures(three_blocks(), picture))
    prepare(alice, reading)
    attempt = sitting.issue(alice, reading, now=NOON)
    editing.edit(reading, by=lena, now=NOON)
    prepare(bob, reading)
    sit(bob, reading)
    extra = ExtraTimeFactory(qualification=reading, user=bob, by=lena)
    grant = GrantFactory(qualification=reading, user=alice)
    bring_up_to_date(nq)
    host = AllowedHostFactory(by=lena)
    webhook = WebhookFactory(project=nq, by=lena, url=f"https://{host.name}/")
    study = StudyFactory(project=nq, by=lena)
    paid = PaymentFactory(project=nq, annotator=alice, by=lena)
    return {
        "annotation": done.uuid, "item_id": done.item_id, "case": 1, "to": "upheld",
        "event": 1, "first": 1, "last": 1, "task": reload(finished).task_id, "task_id": reload(finished).task_id,
        "slug": nq.slug, "activity": "annotate", "uuid": held[0].uuid, "step": "short_answer", "seat": "one",
        "version": release.version, "build": build.pk, "name": "manifest.json", "place": 1,
        "section": "words", "protocol": "nq", "card": "work",
        "day": NOON.date(), "code": alice.worker_code,
        "uidb36": "1", "key": "no-such-token", "pk": 1,
        "link": invited.token, "invite": invited.invite.pk,
        "token": image_urls.token(held[0].uuid, "short_answer"),
        "upload": uploaded(nq, lena, "more.jsonl", b"{}").uuid, "job": asked(nq, lena, questions(1)).pk,
        "attempt": attempt.uuid, "n": 0, "sha256": picture, "item": "tutorial-0",
        "qualification": "reading", "grant": grant.pk, "form": grant.submission_key, "after": 1,
        "part": "task", "block": "task", "piece": "task-0",
        "extra": extra.pk, "table": "items",
        "example": "questions.jsonl", "rehearsal": rehearsal.pk, "settlement": paid.settlement, "decided": decided.pk,
        "what": "argue", "host": host.pk, "webhook": webhook.pk,
        "delivery": sending.send_test(webhook, by=lena, now=NOON).pk,
        "group": StudyGroupFactory(study=study, qualification=reading, by=lena).pk,
    }  # fmt: skip


@pytest.fixture(scope="module")
def signed_in(made) -> dict:
    """The cookies of each person's browser: signing in anew for each request would take longer than most pages."""
    cookies = {}
    for role in ROLES[1:]:
        browser = Client(SERVER_NAME="127.0.0.1")
        browser.force_login(User.objects.get(username=role))
        cookies[role] = browser.cookies
    return cookies


@pytest.fixture(autouse=True)
def _with_prolific(settings):
    settings.GOLDFINCH_PROLIFIC = "https://api.prolific.example"


@pytest.fixture
def names(made: dict, signed_in: dict, db: None) -> dict:
    return made | {"cookies": signed_in}


@cache
def browser_of_all(*, checks_csrf: bool) -> Client:
    """One that loads the middleware once for all requests."""
    return Client(SERVER_NAME="127.0.0.1", enforce_csrf_checks=checks_csrf)


def ask(role: str, route: str, method: str, names: dict, *, checks_csrf: bool = False):
    """Make one request as that person, by the name of the route, in a browser that has asked for nothing before."""
    browser = browser_of_all(checks_csrf=checks_csrf)
    browser.cookies.clear()
    for name, cookie in names["cookies"].get(role, {}).items():
        browser.cookies[name] = cookie.value
        # What an earlier request did to the session was rolled back; the cache still has it.
        session = SessionStore(cookie.value)
        session._cache.delete(session.cache_key)
    return browser.generic(method, reverse(route, kwargs={part: names[part] for part in parts_of(route)}))


@cache
def parts_of(route: str) -> set[str]:
    """The names of what varies in a route's address."""
    return set(next(found for found in get_resolver().url_patterns if found.name == route).pattern.converters)


def test_every_url_is_in_the_table():
    routes = {found.name for found in get_resolver().url_patterns}
    # tests/frontend/api/who_may_call.py has those that are called with a token.
    assert {name for name in routes if not name.startswith("api_")} == {route for route, _ in TABLE}


Row = tuple[str, str]
"""The name of a route, and a method."""
LIKE = {"mallory": "otto", "alice": "erin", "bob": "alice"}
"""Whoever may do no more than somebody else: each merge asks for them where the table makes a difference."""
NO_MORE = pytest.mark.in_test_all(shown_by="tests/frontend/test_who_may.py::test_each_role_gets_what_the_table_says")


def expected(role: str, row: Row) -> int:
    """What that person gets by the table."""
    return TABLE[row][ROLES.index(role)]


def is_told_apart(role: str, row: Row) -> bool:
    """Whether each merge asks it for that person: erin's refusals are among what looks like nothing, below."""
    if role == "erin":
        return expected(role, row) != 404
    return role not in LIKE or expected(role, row) != expected(LIKE[role], row)


def hold_against_the_table(role: str, rows: Iterable[Row], names: dict) -> None:
    """Ask for all these as that person, each in a state of its own, and hold it against the table."""
    found, wanted = {}, {}
    for route, method in rows:
        with transaction.atomic():
            answer = ask(role, route, method, names)
            transaction.set_rollback(True)
        found[route, method], wanted[route, method] = answer.status_code, expected(role, (route, method))
        if role == "anonymous" and route not in PUBLIC:
            assert asks_to_sign_in(answer), (route, method)
        if method == "POST":
            forget()
    assert found == wanted


def forget() -> None:
    """Empty the caches, which may have kept rows that were rolled back."""
    for each in caches.all(initialized_only=True):
        each.clear()


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_the_table_says(names, role):
    hold_against_the_table(role, [row for row in TABLE if is_told_apart(role, row)], names)


@NO_MORE
@pytest.mark.parametrize("role", [*LIKE, "erin"])
def test_and_so_does_whoever_may_do_no_more_than_somebody_else(names, role):
    hold_against_the_table(role, [row for row in TABLE if not is_told_apart(role, row)], names)


def asks_to_sign_in(answer) -> bool:
    """A page is redirected; for a form there is a page that keeps what was written."""
    if answer.status_code == 401:
        return "You are signed out, so this was not sent" in answer.content.decode()
    return answer["Location"].startswith(reverse("login"))


def is_refused(role: str, row: Row) -> bool:
    return expected(role, row) == 404


NOTHING_THERE = {
    "erin": [row for row in TABLE if is_refused("erin", row)],
    "otto": [row for row in TABLE if is_refused("otto", row) and not is_refused("erin", row)],
}
"""What looks like nothing to a member who sees it nowhere, and what only a stranger does not see."""
OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/test_who_may.py::test_what_belongs_to_others_looks_like_what_does_not_exist"
)


@pytest.fixture
def same_tokens(monkeypatch):
    """The tokens of forms are all the same."""
    monkeypatch.setattr("django.middleware.csrf.get_random_string", lambda length, allowed_chars: "x" * length)


@pytest.mark.parametrize("role", NOTHING_THERE)
def test_what_belongs_to_others_looks_like_what_does_not_exist(names, role, same_tokens):
    compare_with_nothing(role, NOTHING_THERE[role], names, whole=False)


@OTHERS
@pytest.mark.parametrize("role", ROLES[1:])
def test_so_does_everything_to_everybody(names, role, same_tokens):
    compare_with_nothing(role, [row for row in TABLE if is_refused(role, row)], names, whole=True)


def compare_with_nothing(role: str, rows: Iterable[Row], names: dict, *, whole: bool) -> None:
    """Every byte of what that person gets at these addresses is what they get where there is nothing.

    Without `whole`, of what is in a project that is left out of which there is no project.
    """
    for route, method in rows:
        there = ask(role, route, method, names)
        assert there.status_code == 404, (route, method)
        parts = MISSING.keys() & parts_of(route)
        for part in parts if whole else (parts - {"slug"} or parts):
            nowhere = ask(role, route, method, names | {part: MISSING[part]})
            assert (there.headers, there.content) == (nowhere.headers, nowhere.content), (route, method, part)
            assert str(there.cookies) == str(nowhere.cookies)


def test_nothing_changes_by_get_or_without_the_csrf_token(names):
    for route, method in TABLE:
        if method == "POST":
            if (route, "GET") not in TABLE:
                assert ask("alice", route, "GET", names).status_code == 405, route
            assert ask("alice", route, method, names, checks_csrf=True).status_code == 403, route


@pytest.mark.parametrize("role", ["bob", "lena", "otto"])
def test_the_control_the_page_of_your_own_work_is_not_the_404(names, role):
    assert ask("alice", "work", "GET", names).content != ask(role, "work", "GET", names).content
