"""The preview of a release says how many items are disputed and how many of them undecided; everything in one file."""

from __future__ import annotations

import html
import zipfile
from io import BytesIO

import pytest
from django.urls import reverse

from annotation import releases
from annotation.models import Release
from annotation.releases import archive, rebuild
from tasks.disputes import deciding
from tests.disagreeing import BAD, answered, box, browser, lights
from tests.people import NOON, join


def preview(lead, made, **query) -> str:
    page = lead.get(reverse("new_release", args=[made.slug]), query).content.decode()
    return " ".join(html.unescape(page).split())


@pytest.fixture
def made(db, tmp_path):
    """Two items on which two people disagree, and one on which they agree."""
    into = lights(tmp_path, people=2, of=3)
    for number in range(2):
        answered(into, BAD, box(1), names=(f"ann{number}", f"ben{number}"))
    answered(into, BAD, BAD, names=("cid", "dot"))
    return into


def test_disputed_items_and_those_without_a_decision_are_counted(made):
    lena = join(made, "lena", "lead")
    lead = browser(lena)
    assert "2 items are disputed</a>, <b>2</b> undecided." in preview(lead, made)
    for left in (1, 0):
        task = deciding.disputes_of(made).order_by("pk").first()
        chosen = task.item.annotations.order_by("pk").first().uuid
        deciding.decide(task, chosen, by=lena, reason="the better one", now=NOON)
        said = f"<b>{left}</b> undecided" if left else "and all are decided"
        assert f"2 items are disputed</a>, {said}" in preview(lead, made)


def test_where_nothing_is_disputed_nothing_is_said_of_it(db, tmp_path):
    into = lights(tmp_path, people=2, of=1)
    answered(into, BAD, BAD)
    assert "disputed</a>" not in preview(browser(join(into, "lena", "lead")), into)


def test_all_files_of_a_release_are_in_one_that_is_offered(made, tmp_path):
    lead = browser(join(made, "lena", "lead"))
    release = releases.build(made, format="nq", by=None, now=NOON)
    name, folder = f"{made.slug}-1.zip", releases.folder_of(release)
    page = lead.get(reverse("release", args=[made.slug, 1])).content.decode()
    assert f'href="{reverse("release_file", args=[made.slug, 1, name])}"' in page
    assert "Download all" in page
    with zipfile.ZipFile(BytesIO((folder / name).read_bytes())) as packed:
        beside = {name, "manifest.json", "SHA256SUMS", "members.jsonl"}
        assert set(packed.namelist()) == {path.name for path in folder.iterdir()} - beside
    again = tmp_path / "again"
    again.mkdir()
    rebuild.rebuild(Release.objects.get(), again)
    assert (again / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize(
    ("size", "writer", "hub", "there"),
    [
        (archive.LARGEST, 3, False, True),
        (archive.LARGEST + 1, 3, False, False),
        (archive.LARGEST + 1, 3, True, True),
        (1, 2, False, False),
        (1, 2, True, True),
    ],
)
def test_there_is_an_archive_up_to_two_gigabytes_and_always_for_the_hub(size, writer, hub, there):
    manifest = {"files": [{"bytes": size}], "recipe": {"writer": writer}}
    assert archive.is_archived(manifest, hub=hub) is there
