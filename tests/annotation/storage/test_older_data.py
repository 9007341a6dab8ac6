"""`migrate` copies the pages of an earlier version's data folder into the database.

`data_of_7c2f3c2.tar.xz` was made by that commit's commands: three questions about two pages, one with an image, each
answered by a bot; a release of them; and what a refused import had left behind: a page and its layout. Documents and
layouts are files. `data_of_c9fd3a6.tar.xz` is the same folder after `migrate` of that commit: they are in packs.
"""

from __future__ import annotations

import shutil
import tarfile
import zlib
from pathlib import Path

import pytest
from django.core.management import CommandError

from annotation.storage import blobs, moving
from tests.annotation.storage.looking import referenced, stored, unreadable
from tests.builders import PAGE, load, write_lines
from tests.forking import ForkedSite

FOLDER = Path(__file__).parent
LOOK = """
from annotation.engine import loading
from annotation.models import Item
from tests.annotation.storage.looking import leftovers, stored, unreadable
shown = [loading.item_record(item).documents[0].rendering().text for item in Item.objects.order_by("pk")]
assert "The light of Grey Rock was lit in 1823 on a reef." in shown[0] and "Long Sand" in shown[2], shown
print(len(stored()), len(leftovers()), len(unreadable()))
"""


IN_PACKS = pytest.mark.in_test_all(
    shown_by="tests/annotation/storage/test_older_data.py::test_the_server_refuses_to_start_before"
)
"""The server asks whether pages of the rows are missing from the database, whatever the folder has."""


def unpack(name, to):
    with tarfile.open(FOLDER / f"data_of_{name}.tar.xz") as packed:
        packed.extractall(to, filter="data")


@pytest.fixture(params=["7c2f3c2", "c9fd3a6"])
def older(request, tmp_path):
    """A site with the data folder of an earlier version."""
    unpack(request.param, tmp_path)
    site = ForkedSite(tmp_path, GOLDFINCH_ID_KEY="an id key for tests only", SECRET_KEY="a key for tests only")
    yield site
    site.close()


def look(site):
    """How many objects there are, leftovers, and objects that can't be read; the pages must be shown as they were."""
    return tuple(map(int, site.manage("shell", "--no-imports", "-c", LOOK).split()))


def test_every_page_moves_into_the_database_and_a_release_is_rebuilt_byte_for_byte(older):
    before = sorted(path.name for path in (older.folder / "objects").rglob("*"))
    assert "Copied 6 pages and layouts into the database." in older.manage("migrate")
    assert look(older) == (6, 0, 0)
    assert "byte" in older.manage("rebuild_release", "harbours", "1")
    assert "Copied" not in older.manage("migrate")
    assert sorted(path.name for path in (older.folder / "objects").rglob("*")) == before
    shutil.rmtree(older.folder / "objects")
    assert look(older) == (6, 0, 0)
    assert "byte" in older.manage("rebuild_release", "harbours", "1")


@pytest.mark.parametrize("older", ["7c2f3c2", pytest.param("c9fd3a6", marks=IN_PACKS)], indirect=True)
def test_the_server_refuses_to_start_before(older):
    objects, database = older.folder / "objects", older.folder / "goldfinch.sqlite3"
    objects.rename(older.folder / "aside")
    older.manage("migrate")  # a newer database, to which the files of an older backup come
    assert look_for_pages(older) == 0
    (older.folder / "aside").rename(objects)
    said = older.run("serve", "--port", "0")
    assert said.returncode == 1
    assert "The data folder is older than this version of Goldfinch: run `manage.py migrate`." in said.stderr
    assert database.exists()


def look_for_pages(site):
    """How many documents and layouts are in the database."""
    counting = "from annotation.models import Blob; print(Blob.objects.count())"
    return int(site.manage("shell", "--no-imports", "-c", counting))


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.fixture
def files(nq, tmp_path, monkeypatch, settings):
    """The files of twenty documents and layouts, which the rows of this database refer to, as 7c2f3c2 kept them."""
    folder = Path(settings.GOLDFINCH_DATA) / "objects" / "document"

    def write(rows):
        for row in rows:
            path = folder / row.sha256[:2] / row.sha256
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(zlib.decompress(row.data))

    lines = [
        {"question_text": f"q{n}", "document_html": PAGE.replace("1823", str(n)), "example_id": n} for n in range(10)
    ]
    with monkeypatch.context() as patched:
        patched.setattr(blobs, "insert", write)
        load(nq, write_lines(tmp_path / "q.jsonl", lines))
    assert (len(unreadable()), stored()) == (20, set())
    return sorted(folder.rglob("*/*"))


@pytest.mark.parametrize("killed_at", [1, 2, 20])
def test_a_move_that_is_killed_loses_nothing_and_the_next_one_goes_on(files, monkeypatch, killed_at):
    real, left = blobs.insert, [None] * (killed_at - 1)

    def until(rows):
        if not left:
            raise Killed
        left.pop()
        real(rows)

    monkeypatch.setattr(moving, "BYTES", 1)
    with monkeypatch.context() as patched:
        patched.setattr(blobs, "insert", until)
        with pytest.raises(Killed):
            moving.move()
    assert len(stored()) == killed_at - 1
    assert moving.is_needed()
    assert moving.move() == 20 - (killed_at - 1)
    assert (unreadable(), stored(), moving.is_needed()) == ([], referenced(), False)
    assert all(path.exists() for path in files)


@pytest.mark.parametrize(("harm", "said"), [("cut off", "is damaged"), ("removed", "lacks the document or layout")])
def test_a_page_that_is_damaged_or_gone_stops_the_move_and_is_named(files, harm, said):
    page = files[7]
    if harm == "removed":
        page.unlink()
    else:
        page.write_bytes(page.read_bytes()[:-1])
    with pytest.raises(CommandError) as refused:
        moving.move_after_migrate()
    assert page.name in str(refused.value)
    assert said in str(refused.value)


def test_an_index_that_is_cut_off_is_named(files):
    index = moving.folder() / "0.index"
    index.write_bytes(b"GFindex1")
    with pytest.raises(CommandError, match=str(index)):
        moving.move_after_migrate()


def test_what_killed_imports_and_the_cache_of_earlier_versions_left_is_removed(db, settings):
    data = Path(settings.GOLDFINCH_DATA)
    for name in ("imports/a.parts/b.pack", "imports/a.jsonl", "imports/of-ours.txt", "renderings/00/00"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text("left")
    moving.move_after_migrate()
    assert [path.name for path in data.rglob("*") if path.is_file()] == ["of-ours.txt"]
