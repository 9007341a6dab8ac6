"""A frozen release is rebuilt byte for byte from a SQLite copy of the rows, whichever database it was frozen in.

Rows that no query puts in order come the other way round there, so that no order is left to the database.
"""

from __future__ import annotations

from django.core.management import call_command

from annotation import releases
from annotation.engine import exclusion
from tests import prepared
from tests.builders import GOOD, NO_ANSWER, Worker, load, open_with, questions, write_lines
from tests.people import NOON
from tests.proofs.rigs import children
from tests.protocols.nq.builders import annotation, original

REBUILD = """
from django.core.management import call_command
from django.db import connections
from django.db.backends.signals import connection_created

def reverse(connection, **signal):
    connection.connection.execute("PRAGMA reverse_unordered_selects = ON")

connections.close_all()
connection_created.connect(reverse)
call_command("rebuild_release", "%s", "1", "--out", "%s")
"""


def test_a_frozen_release_is_rebuilt_from_a_copy_in_the_other_database(nq, alice, fork_server_of_all, tmp_path):
    open_with(nq, tmp_path, [*questions(2), *questions(1, split="dev", start=7)])
    worker = Worker(alice, nq)
    mine = worker.claim()
    worker.commit(mine, "question", GOOD)
    worker.commit(mine, "long_answer", NO_ANSWER)
    worker.finish_bad()
    record = original(question_text="où 🦊 √2?", annotations=[annotation(2**64 - 1, odd=[1.0, -1e15, 5e-324])])
    load(nq, write_lines(tmp_path / "nq-test-00.jsonl", [record | {"example_id": -(2**63)}]), published=True)
    release = releases.build(nq, format="nq", by=None, now=NOON, partial=True)
    exclusion.exclude(nq, worker=alice.worker_code, by=None, reason="test", now=NOON)
    copy, rows = f"sqlite:///{tmp_path}/copy.sqlite3", tmp_path / "rows.json"
    call_command("dumpdata", "annotation", exclude=["annotation.searchtext", "annotation.event"], output=str(rows))
    prepared.sqlite(tmp_path / "copy.sqlite3")
    rebuild = ("shell", "--no-imports", "-c", REBUILD % (nq.slug, tmp_path / "again"))
    for words in (("loaddata", str(rows)), rebuild):
        fork_server_of_all.start(
            "manage", *words, out=tmp_path / "said.txt", environment=children.environment(copy)
        ).ended()
    frozen = {path.name: path.read_bytes() for path in releases.folder_of(release).iterdir()}
    assert {"members.jsonl", "manifest.json", "nq-train-00.jsonl.gz", "nq-test-00.jsonl.gz"} <= set(frozen)
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == frozen
