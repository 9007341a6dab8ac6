"""`migrate` moves the data folder of an earlier version over.

`data_of_7c2f3c2.tar.xz` was made by that commit's commands: three questions about two pages, one with an image, each
answered by a bot; a release of them; and what a refused import had left behind: a page and its layout.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from tests.forking import ForkedSite

MADE = Path(__file__).with_name("data_of_7c2f3c2.tar.xz")
LOOK = """
from annotation.engine import loading
from annotation.models import Item
from annotation.storage import store
from tests.annotation.storage.looking import leftovers, stored, unreadable
shown = [loading.item_record(item).documents[0].rendering().text for item in Item.objects.order_by("pk")]
assert "The light of Grey Rock was lit in 1823 on a reef." in shown[0] and "Long Sand" in shown[2], shown
print(len(stored()), len(leftovers()), len(unreadable()))
"""


@pytest.fixture
def older(tmp_path):
    """A site with the data folder of the earlier version."""
    with tarfile.open(MADE) as packed:
        packed.extractall(tmp_path, filter="data")
    site = ForkedSite(tmp_path, GOLDFINCH_ID_KEY="an id key for tests only", SECRET_KEY="a key for tests only")
    yield site
    site.close()


def look(site):
    """How many objects there are, leftovers, and objects that can't be read; the pages must be shown as they were."""
    return tuple(map(int, site.manage("shell", "--no-imports", "-c", LOOK).split()))


def test_every_page_moves_into_packs_and_a_release_is_rebuilt_byte_for_byte(older):
    assert "Moved 8 pages and layouts into packs." in older.manage("migrate")
    names = {path.name: path.suffix for path in (older.folder / "objects").iterdir()}
    assert names.pop("id_key.sha256")
    assert sorted(set(names.values())) == [".pack", ".pending"]
    assert look(older) == (8, 2, 0)
    assert "Files removed: 0. Objects removed: 2." in older.manage("clean_up")
    assert look(older) == (6, 0, 0)
    assert "byte" in older.manage("rebuild_release", "harbours", "1")
    assert "Moved" not in older.manage("migrate")


def test_the_server_refuses_to_start_before(older):
    (older.folder / "goldfinch.sqlite3").unlink()
    (older.folder / "aside").mkdir()
    (older.folder / "objects").rename(older.folder / "aside" / "objects")
    older.prepare()
    (older.folder / "aside" / "objects").rename(older.folder / "objects")
    said = older.run("serve", "--port", "0")
    assert said.returncode == 1
    assert "The data folder is older than this version of Goldfinch: run `manage.py migrate`." in said.stderr


@pytest.mark.in_test_all(
    shown_by="tests/annotation/storage/test_older_data.py"
    "::test_every_page_moves_into_packs_and_a_release_is_rebuilt_byte_for_byte"
)
def test_a_damaged_page_stops_the_move_and_is_named(older):
    page = next((older.folder / "objects" / "document").rglob("*/*"))
    page.write_bytes(b"")
    done = older.run("migrate")
    assert done.returncode == 1
    assert f"{page} is damaged" in done.stderr
    assert page.exists()
