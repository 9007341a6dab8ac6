"""An import killed anywhere in pass 2 shows nothing, and gives the same rows when it is run again."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest

from annotation.models import Item, Job
from tests.annotation.storage.looking import leftovers, unreadable
from tests.builders import PAGE, load, project, questions, write_lines
from tests.proofs.rigs.row_hashes import row_hash, shown
from tests.protocols.nq.builders import annotation, original
from tests.proving import size

pytestmark = pytest.mark.django_db(transaction=True)

LINES = 2000
POINTS = size(4, 100)
SEED = 20110
ONE_DATABASE = pytest.mark.one_database_for_a_merge
"""A release is imported by the two passes that an import of items shows on both databases."""
SIZES = {"import_items": size(LINES // 5, LINES), "import_release": size(LINES // 25, LINES // 5)}
"""A published record is some ten rows, so fewer of them make as many transactions: four for a merge, or twenty."""


def published(count):
    """Published records on one page, each with two annotations."""
    record = original()
    return [record | {"example_id": n, "annotations": [annotation(n), annotation(count + n)]} for n in range(count)]


def points(last):
    """The first statement of pass 2, the last (which makes everything visible), and seeded ones in between."""
    return [1, *sorted(random.Random(SEED).sample(range(2, last), POINTS - 2)), last]


@pytest.fixture(params=["import_items", pytest.param("import_release", marks=ONE_DATABASE)])
def arguments(request, tmp_path):
    """A command and its file: raw questions, or published records with annotations."""
    if request.param == "import_items":
        lines = [
            line | {"document_html": PAGE.replace("1823", str(n // 10))}
            for n, line in enumerate(questions(SIZES[request.param]))
        ]
        return request.param, str(write_lines(tmp_path / "questions.jsonl", lines))
    return request.param, str(write_lines(tmp_path / "nq-dev-00.jsonl", published(SIZES[request.param])))


@pytest.fixture
def imported(fork_server, tmp_path):
    """Return a function that runs the command and kills it before that statement of pass 2 (0: never)."""

    def run(made, arguments, point=0, build="real"):
        words = (build, str(point), arguments[0], made.slug, arguments[1])
        child = fork_server.start("tests.proofs.rigs.killing", *words, out=tmp_path / "said.txt")
        return child.ended(code=-signal.SIGKILL if point else 0)

    return run


def test_kills_in_pass_two_show_nothing_and_a_repeat_gives_the_same_rows(imported, arguments, record_property):
    record_property("size", POINTS)
    record_property("seed", SEED)
    # Pages are stored once, so the imports that are killed have as many statements as a second one.
    imported(project("first"), arguments)
    whole = project("undisturbed")
    last = int(imported(whole, arguments).splitlines()[-1])
    assert shown(whole) == SIZES[arguments[0]]
    wanted = row_hash(whole)
    for point in points(last)[:: 1 if arguments[0] == "import_items" else 3]:
        made = project(f"killed-{point}")
        imported(made, arguments, point)
        assert shown(made) == 0, f"rows show after the kill at {point} of {last}"
        assert (leftovers(), unreadable()) == ([], []), f"after the kill at {point} of {last}"
        load(made, Path(arguments[1]), published=arguments[0] == "import_release")
        assert row_hash(made) == wanted, f"other rows after the kill at {point} of {last}"


@pytest.mark.one_database_for_a_merge
def test_an_import_that_is_killed_twice_resumes(imported, tmp_path):
    arguments = ("import_items", str(write_lines(tmp_path / "questions.jsonl", questions(LINES))))
    made = project("again")
    done = []
    for _ in range(2):
        imported(made, arguments, 60)
        job = Job.objects.get(project=made)
        done.append((job.done, Item.objects.filter(project=made).count()))
    assert 0 < done[0][1] < done[1][1] < job.total == LINES
    imported(made, arguments)
    assert shown(made) == Job.objects.get(project=made).done == LINES


@pytest.mark.one_database_for_a_merge
def test_control_rows_that_are_visible_from_the_start_are_noticed(imported, tmp_path):
    made = project("early")
    imported(made, ("import_items", str(write_lines(tmp_path / "q.jsonl", questions(800)))), 40, build="early")
    assert shown(made) > 0
