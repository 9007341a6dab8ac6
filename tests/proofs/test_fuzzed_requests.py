"""No request makes the site fail: random ones by strangers, annotators and leads are all answered below 500 (P29)."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from threading import Barrier

import pytest
from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application
from django.db import connections

from annotation import clock, releases
from annotation.models import Role
from frontend import image_urls, urls
from frontend.server import gateway
from frontend.server.log_in_queue import LogInQueue
from tasks.background import long_jobs
from tests.builders import GOOD, NO_ANSWER, Worker, open_papers, open_with, project, questions, spend
from tests.factories.prolific import StudyFactory
from tests.frontend.server.server_rig import Rig
from tests.people import NOON, join
from tests.proofs.rigs.fuzzed_requests import Fuzzer
from tests.proving import size
from tests.signed_in import session_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge]

EACH, SEED = size(60, 3400), 20261123
"""Requests of each person."""
WHO = ("anonymous", "alice", "lena")
THREADS = 4
WANTED, BATCHES = {200, 302, 400, 404}, 6
"""Statuses that must be among the answers, or they showed nothing; batches run until they are, at most so many."""


@pytest.fixture
def site(transactional_db):
    """The site behind its gateway, served by uvicorn on the test's database."""
    threads = WSGIMiddleware(get_wsgi_application(), workers=THREADS)
    log_ins = LogInQueue(threads, paths=("/login/",), at_once=2, pause=0)
    rig = Rig(gateway.Gateway(threads, longest_body=2**20, log_ins=log_ins))
    yield rig
    rig.stop()
    close_connections(threads)
    threads.executor.shutdown()


def close_connections(threads: WSGIMiddleware) -> None:
    """Close the threads' database connections, which outlive them until they are garbage-collected.

    PostgreSQL drops no database with open connections.
    """
    everybody = Barrier(THREADS)

    def close() -> None:
        everybody.wait(60)  # so that no thread gets two of these
        connections.close_all()

    for closed in [threads.executor.submit(close) for _ in range(THREADS)]:
        closed.result()


@pytest.fixture
def fuzzers(site, settings, tmp_path):
    """Fuzzers by person: alice annotates in two projects, and lena leads them; one is connected to a study."""
    settings.GOLDFINCH_PROLIFIC = "https://api.prolific.example"
    long_jobs.beat(now=clock.now())  # or the server would not be ready
    nq, papers = project("lights"), open_papers()
    open_with(nq, tmp_path, questions(60, split="dev"))
    for each in (nq, papers):
        alice, lena = join(each, "alice"), join(each, "lena", Role.LEAD)
    StudyFactory(project=nq, by=lena)
    worker = Worker(alice, nq)
    done = worker.claim()
    worker.commit(done, "question", GOOD)
    worker.commit(done, "long_answer", NO_ANSWER)
    works = [worker.claim(), Worker(alice, papers, "ask").claim()]
    worker.commit(works[0], "question", GOOD)
    spend(works[0], now=NOON + timedelta(minutes=1), ms=60_000)
    release = releases.build(nq, format="nq", splits=[], partial=True, by=None, now=NOON, progress=lambda *seen: None)
    names = {
        "slug": ["lights", "papers", "nowhere"],
        "activity": ["annotate", "ask", "answer", "verify", "nothing"],
        "code": [alice.worker_code, lena.worker_code],
        "item_id": [*(str(item.pk) for item in nq.items.all()[:3]), "999999999"],
        "case": ["1", "99999999999999999999"],
        "to": ["upheld", "open", "nothing"],
        "annotation": [str(each.annotation.uuid) for each in (done, *works)],
        "uuid": [str(each.uuid) for each in (done, *works)],
        "step": ["question", "long_answer", "short_answer", "paper", "questions", "answer", "question-1", "reveal"],
        "version": [str(release.version), "0", "99"],
        "name": ["manifest.json", "members.jsonl", "nothing"],
        "place": ["0", "1", "99999999999999999999"],
        "day": ["2026-11-20", "9999-12-31", "0001-01-01", "2026-13-01"],
        "token": [image_urls.token(each.uuid, "long_answer") for each in works],
    }
    sessions = {"anonymous": "", "alice": session_of(alice), "lena": session_of(lena)}
    return {who: Fuzzer(site.port, sessions[who], dict(names), Random(f"{SEED} {who}")) for who in WHO}


def test_every_random_request_is_answered_below_500(fuzzers, record_property):
    record_property("seed", SEED)
    for who, fuzzer in fuzzers.items():
        batch = 0
        while batch < BATCHES and not fuzzer.statuses.keys() >= WANTED:
            fuzzer.run(EACH)
            batch += 1
        print(who, dict(sorted(fuzzer.statuses.items())))
        assert fuzzer.failed == []
        assert fuzzer.statuses.keys() >= WANTED
    record_property("size", sum(sum(each.statuses.values()) for each in fuzzers.values()))


def test_control_a_site_that_takes_any_charset_and_any_day_is_caught(fuzzers, monkeypatch):
    monkeypatch.setattr(gateway, "_refuse_other_charsets", lambda scope: None)
    monkeypatch.setattr(urls.DayConverter, "to_python", staticmethod(date.fromisoformat))
    fuzzer = fuzzers["alice"]

    def is_caught() -> bool:
        return any("/time/9999-12-31/" in each or "charset=" in each for each in fuzzer.failed)

    for _ in range(BATCHES):
        fuzzer.run(max(EACH, 100))
        if is_caught():
            break
    assert is_caught()
