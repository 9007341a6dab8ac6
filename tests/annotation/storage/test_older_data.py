"""`migrate` brings up the site of an earlier version, and copies the pages of its data folder into the database."""

from __future__ import annotations

import json
import shutil
import zlib
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.storage import blobs, moving
from tests.annotation.storage import older_sites
from tests.annotation.storage.looking import referenced, stored, unreadable
from tests.builders import PAGE, load, write_lines

LOOK = """
import json
from annotation.engine import loading
from annotation.models import Item
from tests.annotation.storage.looking import leftovers, stored, unreadable
lights = Item.objects.filter(project__slug="harbours").order_by("pk")
shown = [loading.item_record(item).documents[0].rendering().text for item in lights]
assert "The light of Grey Rock was lit in 1823 on a reef." in shown[0] and "Long Sand" in shown[2], shown
print(json.dumps([len(stored()), len(leftovers()), len(unreadable())]))
"""
PAGES = {"7c2f3c2": 6, "4472bfee": 69}
"""How many documents and layouts there are."""
OLDER = "The data folder is older than this version of Goldfinch: run `manage.py migrate`."
MADE_ANEW = {"annotation_searchtext"}
"""Tables of an index, which are filled from the others."""


@pytest.fixture(params=["7c2f3c2", "4472bfee"])
def older(request, tmp_path, fork_server_of_all):
    """A site with the data folder of an earlier version."""
    with older_sites.from_folder(request.param, tmp_path, fork_server_of_all) as site:
        yield site


def look(site):
    """How many objects there are, leftovers, and objects that can't be read; the pages must be shown as they were."""
    return json.loads(site.manage("shell", "--no-imports", "-c", LOOK))


def comes_up_with_all_it_had(site, *, pages):
    """Migrate the site: each row and each file are as they were, and each release is rebuilt byte for byte."""
    rows, files = site.tables(), files_of(site)
    assert f"Copied {pages} pages and layouts into the database." in site.manage("migrate")
    assert "Copied" not in site.manage("migrate")
    migrated = site.tables()
    assert rows["annotation_response"][1] != []
    for table, before in rows.items():
        columns = set(before[0])
        assert columns <= set(migrated[table][0])
        if table not in MADE_ANEW:
            assert older_sites.told(migrated[table], columns) == older_sites.told(before, columns), table
    assert files.items() <= files_of(site).items()
    shutil.rmtree(site.folder / "objects")
    assert look(site) == [pages, 0, 0]
    releases = sorted(path.relative_to(site.folder / "releases") for path in site.folder.glob("releases/*/[0-9]*"))
    assert releases != []
    for release in releases:
        assert "byte for byte the same" in site.manage("rebuild_release", *release.parts)


def files_of(site):
    """The files of documents and of releases, by name."""
    return {
        path: path.read_bytes()
        for name in ("objects", "releases")
        for path in (site.folder / name).rglob("*")
        if path.is_file()
    }


IN_FILES = pytest.mark.in_test_all(
    shown_by="tests/annotation/storage/test_older_data.py::test_a_move_that_is_killed_loses_nothing_and_the_next_one_goes_on"
)
"""The older of the two kept pages as files, and its tables are earlier ones of the same migrations."""


@pytest.mark.parametrize("older", [pytest.param("7c2f3c2", marks=IN_FILES), "4472bfee"], indirect=True)
def test_every_row_page_and_release_of_an_earlier_version_is_as_it_was(older, request):
    comes_up_with_all_it_had(older, pages=PAGES[request.node.callspec.params["older"]])


@pytest.mark.postgresql_only
@pytest.mark.django_db
@pytest.mark.in_test_all(
    shown_by="tests/annotation/storage/test_older_data.py::"
    "test_every_row_page_and_release_of_an_earlier_version_is_as_it_was"
)
def test_so_it_is_when_restored_from_a_dump_of_postgresql(tmp_path, settings, fork_server_of_all):
    with older_sites.from_dump("4472bfee", tmp_path, settings.DATABASE_URL, fork_server_of_all) as site:
        comes_up_with_all_it_had(site, pages=PAGES["4472bfee"])


@pytest.mark.in_test_all(
    shown_by="tests/annotation/storage/test_older_data.py::"
    "test_the_server_refuses_to_start_while_pages_of_the_rows_are_in_files_alone"
)
def test_the_server_refuses_to_start_before(older):
    objects, database = older.folder / "objects", older.folder / "goldfinch.sqlite3"
    objects.rename(older.folder / "aside")
    older.manage("migrate")  # a newer database, to which the files of an older backup come
    assert look_for_pages(older) == 0
    (older.folder / "aside").rename(objects)
    said = older.run("serve", "--port", "0")
    assert said.returncode == 1
    assert OLDER in said.stderr
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


def test_the_server_refuses_to_start_while_pages_of_the_rows_are_in_files_alone(files):
    with pytest.raises(CommandError, match=OLDER):
        call_command("serve", port=0)


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
