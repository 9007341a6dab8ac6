"""A release written by forked processes equals one written by a single process."""

from __future__ import annotations

import pytest

from annotation.releases import data_files, rebuild
from tests.builders import Worker, open_with, questions
from tests.people import join

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_release_by_three_processes_is_byte_identical_to_that_by_one(nq, fork_server, tmp_path, monkeypatch):
    open_with(nq, tmp_path, questions(27))
    worker = Worker(join(nq, "alice"), nq)
    for _ in range(27):
        worker.finish_bad()
    said = fork_server.start("tests.proofs.rigs.forked_export", nq.slug, out=tmp_path / "said.txt").ended()
    assert said.splitlines()[-1] == "3"
    release = nq.releases.get()
    monkeypatch.setattr(data_files, "SLICE", 5)
    (tmp_path / "again").mkdir()
    rebuild.rebuild(release, tmp_path / "again", using="default")
