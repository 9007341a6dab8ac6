"""A release states the code that made it: the version, and the commit of the checkout."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from annotation import releases
from annotation.releases import building
from tests.builders import Worker, open_with, questions
from tests.people import NOON

CHECKOUT = Path(__file__).resolve().parents[3]
SOMEBODY = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), *SOMEBODY, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def tarball(tmp_path):
    """The code as a folder without git metadata."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "goldfinch"\nversion = "3.2.1"\n')
    return folder


@pytest.fixture
def checkout(tarball):
    git(tarball, "init", "--quiet", "--initial-branch=work/here")
    git(tarball, "add", ".")
    git(tarball, "commit", "--quiet", "--message=One")
    return tarball


def with_commit(folder):
    return f"goldfinch 3.2.1+{git(folder, 'rev-parse', 'HEAD')[:12]}"


def test_without_git_it_is_the_version_alone(tarball):
    assert building.code_version(tarball) == "goldfinch 3.2.1"


def test_an_installed_package_without_its_pyproject_has_the_version_in_its_metadata(tmp_path, monkeypatch):
    monkeypatch.setattr(building.metadata, "version", {"goldfinch": "4.0"}.__getitem__)
    assert building.code_version(tmp_path) == "goldfinch 4.0"


def test_code_that_cannot_find_its_version_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "PACKAGE", "no-such-package-as-this")
    assert building.code_version(tmp_path) == "no-such-package-as-this unknown"


def test_the_commit_of_a_repository_around_an_unpacked_tarball_is_not_ours(checkout):
    inner = checkout / "unpacked"
    inner.mkdir()
    (inner / "pyproject.toml").write_bytes((checkout / "pyproject.toml").read_bytes())
    assert building.code_version(inner) == "goldfinch 3.2.1"


def test_on_a_branch_it_has_the_commit(checkout):
    assert building.code_version(checkout) == with_commit(checkout)


def test_a_branch_that_git_has_packed_is_found(checkout):
    git(checkout, "branch", "work/here-too")
    git(checkout, "commit", "--quiet", "--allow-empty", "--message=Two")
    git(checkout, "pack-refs", "--all")
    assert not (checkout / ".git/refs/heads/work/here").exists()
    assert building.code_version(checkout) == with_commit(checkout)


def test_a_checkout_with_a_detached_head_has_its_commit_too(checkout):
    git(checkout, "commit", "--quiet", "--allow-empty", "--message=Two")
    git(checkout, "checkout", "--quiet", "--detach", "HEAD~1")
    assert building.code_version(checkout) == with_commit(checkout)


def test_a_linked_worktree_has_its_own_commit(checkout, tmp_path):
    git(checkout, "worktree", "add", "--quiet", "-b", "other", str(tmp_path / "linked"))
    git(tmp_path / "linked", "commit", "--quiet", "--allow-empty", "--message=Two")
    assert building.code_version(tmp_path / "linked") == with_commit(tmp_path / "linked")
    assert building.code_version(checkout) == with_commit(checkout) != with_commit(tmp_path / "linked")


@pytest.mark.parametrize("head", ["", "ref: refs/heads/gone\n", "nonsense\n", "ref: refs/heads/.invalid\n"])
def test_a_broken_repository_is_ignored(checkout, head):
    (checkout / ".git/HEAD").write_text(head)
    assert building.code_version(checkout) == "goldfinch 3.2.1"


def test_a_repository_without_a_commit_is_ignored(tarball):
    git(tarball, "init", "--quiet")
    assert building.code_version(tarball) == "goldfinch 3.2.1"


def test_a_release_states_the_running_code(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).finish_bad()
    release = releases.build(nq, format="nq", by=None, now=NOON)
    version = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["version"]
    said = releases.manifest_of(release)["code_version"]
    assert said == release.code_version == building.CODE_VERSION
    assert said.split("+")[0] == f"goldfinch {version}"
    assert len(said) <= release._meta.get_field("code_version").max_length
