"""Commands write a folder whole or not at all, and say so in a sentence when they can't."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation import releases
from annotation.models import Release
from tests.builders import Worker, open_with, questions

ROOT = Path(__file__).parents[2]


@pytest.fixture
def answered(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    worker = Worker(alice, nq)
    worker.commit(worker.claim(), "question", {"verdict": "bad", "reasons": ["ambiguous"]})
    return nq


def full_after_the_first_file(source, copy):
    """What copying to a disk does that has room for one file only."""
    shutil.copy(source, copy)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_copy_that_fails_leaves_nothing_and_names_the_release_that_is_ready(answered, tmp_path, monkeypatch):
    out = tmp_path / "deep" / "out"
    monkeypatch.setattr(shutil, "copy2", full_after_the_first_file)
    with pytest.raises(CommandError, match=r"Release 1 of .* is ready in .*could not be copied.*No space left") as said:
        call_command("export_release", answered.slug, format="nq", out=out)
    [release] = Release.objects.all()
    assert release.state == Release.State.READY
    assert str(releases.folder_of(release)) in str(said.value)
    assert list(out.parent.iterdir()) == []
    monkeypatch.undo()
    call_command("export_release", answered.slug, format="nq", out=out)
    assert {path.name for path in out.parent.iterdir()} == {"out"}
    kept = {path.name for path in releases.folder_of(release).iterdir()}
    archive = {f"{answered.slug}-{version}.zip" for version in (1, 2)}  # the second release has one of its own
    assert {path.name for path in out.iterdir()} - archive == kept - archive - {"members.jsonl"}


@pytest.mark.parametrize(("command", "options"), [("export_release", {"format": "nq"}), ("rebuild_release", {})])
def test_an_impossible_place_is_refused_before_anything_is_made(answered, tmp_path, command, options):
    call_command("export_release", answered.slug, format="nq")
    (tmp_path / "file").write_text("")
    version = ["1"] if command == "rebuild_release" else []
    for out, reason in ((tmp_path / "file" / "out", "can't be written"), (tmp_path, "not an empty folder")):
        with pytest.raises(CommandError, match=reason):
            call_command(command, answered.slug, *version, out=out, **options)
    assert Release.objects.count() == 1


def test_a_rebuild_that_fails_leaves_no_folder(answered, tmp_path):
    call_command("export_release", answered.slug, format="nq")
    manifest = releases.folder_of(Release.objects.get()) / "manifest.json"
    manifest.write_bytes(manifest.read_bytes() + b" ")
    with pytest.raises(CommandError, match="not the file that was frozen"):
        call_command("rebuild_release", answered.slug, "1", out=tmp_path / "out")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith((".out", "out"))]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_ends_a_command_with_a_sentence(tmp_path):
    command = [sys.executable, "manage.py", "diffsettings", "--output", "unified"]
    env = os.environ | {"GOLDFINCH_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "frontend.settings"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=ROOT, env=env, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("The disk is full, so this command stopped ([Errno 28] No space left on device).")
