"""Releases of an earlier version are rebuilt byte for byte: their recipes have no number of a writer.

`releases_of_5c968e9.tar.xz` was made by that commit's commands, with `manage.py demo` in it, and has the releases of
four projects, one for each protocol, in each of their formats. Its data files are left out: a rebuild compares theirs
with the hashes in the manifest.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from tests.forking import ForkedSite

MADE = Path(__file__).with_name("releases_of_5c968e9.tar.xz")


@pytest.fixture
def older(tmp_path, fork_server_of_all):
    """A site with the data folder of the earlier version, migrated."""
    with tarfile.open(MADE) as packed:
        packed.extractall(tmp_path, filter="data")
    site = ForkedSite(tmp_path, GOLDFINCH_ID_KEY="an id key for tests only", SECRET_KEY="a key for tests only")
    site.forked_by = fork_server_of_all
    site.manage("migrate")
    yield site
    site.close()


@pytest.mark.in_test_all(
    shown_by="tests/annotation/storage/test_older_data.py::"
    "test_every_row_page_and_release_of_an_earlier_version_is_as_it_was"
)
def test_every_release_of_the_first_writer_is_rebuilt_byte_for_byte(older):
    manifests = {path.parent: json.loads(path.read_bytes()) for path in older.folder.glob("releases/*/*/manifest.json")}
    assert len({about["protocol"] for about in manifests.values()}) == 4
    assert len({(about["protocol"], about["recipe"]["format"]) for about in manifests.values()}) == 14
    assert not any("writer" in about["recipe"] for about in manifests.values())
    assert any(not entry["records"] for about in manifests.values() for entry in about["files"])
    for folder, about in manifests.items():
        out = older.folder / "again"
        said = older.manage("rebuild_release", about["project"], str(about["version"]), "--out", str(out))
        assert "byte for byte the same" in said
        kept = {path.name: path.read_bytes() for path in folder.iterdir()}
        made = {path.name: path.read_bytes() for path in out.iterdir()}
        assert kept.items() <= made.items()
        assert set(made) - set(kept) == {entry["name"] for entry in about["files"]} | {
            entry["name"] for entry in about.get("beside", ()) if entry["name"].endswith(".zip")
        }
        out.rename(out.with_name(folder.name + about["project"]))
