"""An export while people work is a snapshot: one moment of the data."""

from __future__ import annotations

import gzip
import threading
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace

import pytest
from django.db import close_old_connections, connection, connections, transaction
from django.db.models import QuerySet

from annotation import releases
from annotation.models import Project, Release
from annotation.releases import building, members, selection
from tests.builders import Worker, open_with, project, questions
from tests.people import NOON, join
from tests.proofs.rigs.row_hashes import completed, taken
from tests.proving import size

pytestmark = pytest.mark.django_db(transaction=True)

EXPORTS = size(2, 100)
WRITERS = 3
QUESTIONS = size(150, 300) * EXPORTS
AT_FIRST = 60
"""Questions that are answered before the first export, so that reading takes several queries."""


class Ledger:
    """When each commit was started and acknowledged, by a logical clock that ticks with every entry."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.tick = 0
        self.begun: dict[str, int] = {}
        self.acknowledged: dict[str, int] = {}

    def now(self) -> int:
        with self._lock:
            self.tick += 1
            return self.tick


@pytest.fixture
def crowd(transactional_db, tmp_path):
    """A project in which three people have answered some of many questions."""
    made = project("crowd")
    open_with(made, tmp_path, questions(QUESTIONS))
    workers = [Worker(join(made, f"annotator-{number}"), made) for number in range(WRITERS)]
    for number in range(AT_FIRST):
        workers[number % WRITERS].finish_bad()
    return made, workers


def work(worker: Worker, ledger: Ledger, until: threading.Event, failed: list[BaseException]) -> None:
    """Answer question after question, entering each in the ledger before it is sent and after it is acknowledged."""
    try:
        while not until.is_set():
            mine = worker.claim()
            name = str(mine.annotation.uuid)
            ledger.begun[name] = ledger.now()
            worker.commit(mine, "question", {"verdict": "bad", "reasons": ["ambiguous"]})
            ledger.acknowledged[name] = ledger.now()
    except BaseException as error:
        failed.append(error)
    finally:
        connections.close_all()


@contextmanager
def at_work(workers):
    """Everybody works in a thread of their own."""
    ledger, until, failed = Ledger(), threading.Event(), []
    threads = [threading.Thread(target=work, args=(each, ledger, until, failed)) for each in workers]
    for thread in threads:
        thread.start()
    try:
        yield ledger
    finally:
        until.set()
        for thread in threads:
            thread.join()
        close_old_connections()
    assert failed == []


def faults(found: set[str], ledger: Ledger, before: set[str], *, begun: int, ended: int) -> list[str]:
    """Why no moment can have had exactly these, by the ledger and without a look at the database.

    Whatever was acknowledged before the export began is in it, whatever was sent after it ended is not. In between: if
    `a` was acknowledged before `b` was sent, a moment that has `b` has `a`.
    """
    said = [f"{name} was there before" for name in before - found]
    said += [f"{name} was acknowledged" for name, at in ledger.acknowledged.items() if at < begun and name not in found]
    said += [f"{name} was sent later" for name in found if ledger.begun.get(name, 0) > ended]
    latest = max((ledger.begun[name] for name in found if name in ledger.begun), default=0)
    return said + [
        f"{name} was acknowledged before another was sent that is there"
        for name, at in ledger.acknowledged.items()
        if at < latest and name not in found
    ]


def export(made: Project, ledger: Ledger, **options) -> tuple[Release, int, int]:
    begun = ledger.now()
    release = releases.build(made, format="nq", by=None, now=NOON, **options)
    return release, begun, ledger.now()


def wait_for(ledger: Ledger, more: int) -> None:
    """Wait until so many further commits were acknowledged."""
    wanted = len(ledger.acknowledged) + more
    reached = threading.Event()
    while len(ledger.acknowledged) < wanted:
        reached.wait(0.01)


@pytest.fixture
def slow_reading(monkeypatch):
    """Make an export read in many small steps, with commits by others in between, as in a large project."""
    monkeypatch.setattr(selection, "CHUNK", 10)
    ledgers = []
    real = members.MemberChooser.alone

    def alone(self, item):
        found = real(self, item)
        self.seen = getattr(self, "seen", 0) + 1
        if ledgers and self.seen % 50 == 0:
            wait_for(ledgers[0], 1)
        return found

    monkeypatch.setattr(members.MemberChooser, "alone", alone)
    return ledgers


def test_exports_under_load_are_each_one_moment_of_the_data(crowd, real_snapshot, slow_reading, record_property):
    record_property("size", EXPORTS)
    made, workers = crowd
    before = completed()
    exports = []
    with at_work(workers) as ledger:
        slow_reading.append(ledger)
        for _ in range(EXPORTS):
            wait_for(ledger, 5)
            exports.append(export(made, ledger))
    sizes = []
    for release, begun, end in exports:
        found = taken(release)
        assert faults(found, ledger, before, begun=begun, ended=end) == []
        assert any(begun < at < end for at in ledger.acknowledged.values()), "nobody worked meanwhile"
        [file] = releases.manifest_of(release)["files"]
        records = gzip.decompress((releases.folder_of(release) / file["name"]).read_bytes()).splitlines()
        assert len(records) == file["records"] == len(found)
        sizes.append(len(found))
    print(f"{connection.vendor}: {sizes} annotations, {len(ledger.acknowledged)} commits meanwhile")
    assert sizes == sorted(sizes)


@pytest.mark.one_database_for_a_merge
def test_control_an_export_that_reads_as_it_goes_is_noticed(crowd, slow_reading, monkeypatch):
    made, workers = crowd
    before = completed()
    monkeypatch.setattr(QuerySet, "iterator", page_by_page)
    monkeypatch.setattr(building, "transaction", SimpleNamespace(atomic=no_reading_transaction))
    with at_work(workers) as ledger:
        slow_reading.append(ledger)
        found = [export(made, ledger, using="default") for _ in range(EXPORTS)]
    said = [faults(taken(release), ledger, before, begun=begun, ended=end) for release, begun, end in found]
    assert any(said)


def page_by_page(rows: QuerySet, chunk_size: int):
    """`iterator()` as a query per page; SQLite gives a snapshot for the duration of a single query."""
    keys = list(rows.values_list("pk", flat=True))
    for first in range(0, len(keys), chunk_size):
        yield from rows.filter(pk__in=keys[first : first + chunk_size])


def no_reading_transaction(using: str | None = None):
    """`atomic()` without a transaction while an export reads, so that each query sees its own moment."""
    return nullcontext() if using else transaction.atomic()
