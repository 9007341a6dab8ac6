"""Forked processes share long work; each test has a process of its own, since pytest's may have threads."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.site import CHECKOUT

CONFIGURED = "from django.conf import settings; settings.configure()\n"
THREE = "import os, threading\n"
THREE += "from annotation.processes import forked_pool\n"
THREE += "forked_pool._cores = lambda: 3; mine = os.getpid()\n"
THREE += "in_order = lambda each, parts: forked_pool.in_order(lambda some: map(each, some), parts)\n"


@pytest.fixture
def run(fork_server_of_all, tmp_path):
    """A function: the lines that a process prints which does this."""

    def run(code: str) -> list[str]:
        words = ["shell", "--no-imports", "-c", THREE + code]
        return fork_server_of_all.start("manage", *words, out=tmp_path / "said").ended().splitlines()

    return run


def test_children_share_the_parts_and_their_results_come_in_order(run):
    found = run("for n, who in in_order(lambda n: (n, os.getpid()), range(7)): print(n, who, mine)")
    rows = [[int(word) for word in line.split()] for line in found]
    assert [row[0] for row in rows] == list(range(7))
    assert len({who for _n, who, _mine in rows}) == 3
    assert all(who != mine for _n, who, mine in rows)


def test_what_a_child_did_not_do_because_it_died_is_done_by_the_parent(run):
    code = "die = lambda n: os.kill(os.getpid(), 9) if n == 4 and os.getpid() != mine else n\n"
    assert run(code + "print(*in_order(die, range(9)))") == ["0 1 2 3 4 5 6 7 8"]


def test_an_error_in_a_child_is_raised_in_the_parent(run):
    code = """
try:
    for n in in_order(lambda n: 6 // (2 - n), range(5)): print(n)
except ZeroDivisionError as error: print(error, os.getpid() == mine)
"""
    assert run(code) == ["3", "6", "integer division or modulo by zero True"]


def test_a_process_with_other_threads_does_not_fork(run):
    code = """
over = threading.Event(); threading.Thread(target=over.wait).start()
print({who == mine for who in in_order(lambda n: os.getpid(), range(5))}); over.set()
"""
    assert run(code) == ["{True}"]


def test_children_end_with_a_parent_that_is_killed():
    # Their results exceed a pipe's buffer, so they block until somebody reads; and they hold our stdout open.
    code = CONFIGURED + THREE + "for n in in_order(lambda n: bytes(1_000_000), range(9)): os.kill(mine, 9)"
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (-9, ""), done.stderr


MERGED = "merged = lambda work: forked_pool.merged(work, key=lambda found: found[0])\n"


def test_children_share_a_stream_and_what_they_found_comes_in_order(run):
    code = (
        MERGED + "for n, who in merged(lambda n, count: ((x, os.getpid()) for x in range(n, 8, count))): print(n, who)"
    )
    rows = [line.split() for line in run(code)]
    assert [int(number) for number, _who in rows] == list(range(8))
    assert len({who for _number, who in rows}) == 3


def test_a_stream_ends_with_an_error_where_a_child_dies(run):
    code = """
def work(n, count):
    for x in range(n, 9, count):
        if x == 4: os.kill(os.getpid(), 9)
        yield (x,)
try:
    for [x] in merged(work): print(x)
except EOFError: print("a child has died")
"""
    *found, said = run(MERGED + code)
    assert said == "a child has died"
    assert found == [str(n) for n in range(len(found))]
    assert len(found) in (2, 3, 4)


def test_children_do_not_hold_the_locks_of_their_parent(run):
    # If they did, whoever repeats an import that has been killed would be told that it is still running.
    code = """
from pathlib import Path; from tempfile import mkdtemp; from annotation.storage import files
lock = Path(mkdtemp())
with files.alone_with(lock):
    found = merged(lambda n, count: ((x, bytes(200_000)) for x in range(n, 99, count))); next(found)
with files.alone_with(lock): print("free")
found.close()
"""
    assert run(MERGED + code) == ["free"]
