"""A killed export leaves nothing visible, and the next one clears away what it left."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation import releases
from annotation.errors import ReleaseRefused
from annotation.models import Project, Release
from annotation.releases import building
from tests.builders import Worker, open_with, project, questions
from tests.people import NOON, join
from tests.proofs.rigs.row_hashes import completed, taken
from tests.waiting.polling import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge]

POINTS = ("begun", "members", "data", "manifest", "before-rename", "after-rename")


@pytest.fixture
def made(transactional_db, tmp_path) -> Project:
    """A project in which one person has answered all questions."""
    found = project("killed")
    open_with(found, tmp_path, questions(12))
    worker = Worker(join(found, "alice"), found)
    for _ in range(12):
        worker.finish_bad()
    return found


@pytest.fixture
def kill(fork_server, tmp_path):
    """Export in a child that dies at that point; return the release it began."""

    def run(made: Project, point: str, build: str = "real") -> Release:
        child = fork_server.start(
            "tests.proofs.rigs.killing_exports", build, point, made.slug, out=tmp_path / "said.txt"
        )
        child.ended(code=-signal.SIGKILL)
        return made.releases.latest("version")

    return run


def half_there(dead: Release, point: str) -> list[str]:
    """The forbidden traces of a killed export: its folder must be all there or absent, and it must not be ready."""
    folder = releases.folder_of(dead)
    seen = [path.name for path in folder.parent.iterdir() if not path.name.startswith(".")]
    wanted = [str(dead.version)] if point == "after-rename" else []
    found = [] if seen == wanted else [f"{point}: {seen} can be seen"]
    found += [] if dead.state == Release.State.BUILDING else [f"{point}: it is {dead.state}"]
    if point == "after-rename" and not (folder / "manifest.json").exists():
        found.append("after-rename: it has no manifest")
    return found


def left_over(dead: Release, point: str) -> list[str]:
    """What is left of it once the next export, which is complete, is done; then that one is removed."""
    again = releases.build(dead.project, format="nq", by=None, now=NOON)
    folder = releases.folder_of(again)
    found = [] if taken(again) == completed() else [f"{point}: the next one is not whole"]
    there = {path.name for path in folder.parent.iterdir()} - {str(again.version)}
    found += [f"{point}: {name} is left" for name in sorted(there)]
    dead.refresh_from_db()
    shutil.rmtree(folder)
    return found + ([] if dead.state == Release.State.FAILED else [f"{point}: the dead one is {dead.state}"])


def test_a_killed_export_leaves_no_partial_file_visible(made, kill):
    for point in POINTS:
        dead = kill(made, point)
        assert half_there(dead, point) == []
        assert left_over(dead, point) == []


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def exported(made: Project, out: Path) -> set[str]:
    """Export to a folder and remove it again; what is beside it then."""
    call_command("export_release", made.slug, format="nq", out=out)
    assert {"manifest.json", "SHA256SUMS"} < names(out)
    assert "members.jsonl" not in names(out)
    shutil.rmtree(out)
    return names(out.parent)


@pytest.fixture
def copying(made, fork_server, tmp_path):
    """A real export that has begun to copy its release to `copies/out`, and waits."""
    out = tmp_path / "copies" / "out"
    child = fork_server.start(
        "tests.proofs.rigs.killing_exports", "real", "copy", made.slug, str(out), out=tmp_path / "said.txt"
    )
    try:
        until(lambda: list(out.parent.glob(".out-*/nq-*")))
    except TimeoutError:
        pytest.fail(Path(f"{child.out}.err").read_text())
    return out, child


def test_a_killed_copy_of_a_release_is_removed_by_the_next_one_but_never_while_it_is_running(made, copying):
    out, child = copying
    [begun] = names(out.parent)
    assert exported(made, out) == {begun}
    child.kill()
    assert names(out.parent) == {begun}
    assert exported(made, out) == set()


def test_folders_that_no_command_has_made_stay_beside_a_copy(made, tmp_path):
    others = {".out-releases", ".out-abcdefgh", "out-abcdefgh.goldfinch-unfinished"}
    for name in others:
        (tmp_path / "copies" / name).mkdir(parents=True)
    assert exported(made, tmp_path / "copies" / "out") == others


def test_control_an_export_that_writes_in_place_and_clears_nothing_away_is_noticed(made, kill, monkeypatch):
    dead = kill(made, "data", "straight")
    assert half_there(dead, "data") == ["data: ['1'] can be seen"]
    monkeypatch.setattr(building, "_clear_away", lambda project, *, by, now: None)
    assert left_over(dead, "data") == ["data: 1 is left", "data: the dead one is building"]


def test_two_releases_of_a_project_are_not_built_at_once(transactional_db):
    made = project("one-at-a-time")
    with building._alone(made), pytest.raises(ReleaseRefused, match="Another release"):
        releases.build(made, format="nq", by=None, now=NOON)
