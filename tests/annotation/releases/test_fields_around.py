"""Fields that files have beside their list of records come out again where they stood, in the files of their splits."""

from __future__ import annotations

import json
from datetime import timedelta

import orjson
import pytest

from annotation import projects, releases
from annotation.imports import fields_around
from annotation.models import Job
from annotation.releases import rebuild
from tests.builders import load, project
from tests.people import NOON
from tests.protocols.coqa.builders import dialogue
from tests.protocols.squad.builders import article, paragraph, question

pytestmark = pytest.mark.django_db

ODD = {"z": [1, 2.50, 10**30, None], "a": {"b": "é🦊", "a": {}}}
DATA = {"squad": article(paragraph(question(1), question(2))), "coqa": dialogue(12)}
PLACES = {
    "squad": {"licence": "CC BY 4.0", "version": "v2.0", "odd": ODD, "data": None, "comment": "made by hand"},
    "coqa": {"licence": "CC BY 4.0", "version": "1.0", "odd": ODD, "data": None, "comment": "made by hand"},
}


def imported(made, folder, fields, *, data, now=NOON, split="train"):
    """Import a file with these fields, in which `data` stands for the list."""
    path = folder / f"{len(list(folder.iterdir()))}.json"
    path.write_bytes(json.dumps(fields | {"data": data}).encode())
    return load(made, path, published=True, split=split, clock=lambda: now)


def files_of(release):
    """The values in its data files, by split."""
    entries = releases.manifest_of(release)["files"]
    return {one["split"]: (releases.folder_of(release) / one["name"]).read_bytes() for one in entries}


def build(made, **options):
    return releases.build(made, format="", by=None, now=NOON, **options)


def squad(folder, *files, **options):
    """A project with these files of the same article."""
    made = project("squad", "squad")
    for place, fields in enumerate(files):
        imported(made, folder, fields, data=[DATA["squad"]], now=NOON + timedelta(hours=place), **options)
    return made


@pytest.mark.parametrize("protocol", PLACES)
def test_a_file_with_unknown_fields_comes_out_with_its_keys_in_order(tmp_path, protocol):
    made = project(protocol, protocol)
    fields = PLACES[protocol] | {"data": [DATA[protocol]]}
    report = imported(made, tmp_path, fields, data=[DATA[protocol]])
    [text] = files_of(build(made)).values()
    found = json.loads(text)
    assert list(found) == list(fields)
    assert json.dumps({**found, "data": 0}) == json.dumps({**fields, "data": 0})
    [note] = [one.text for one in report.notes if "beside" in one.text]
    assert note == "The file has fields beside its list, which releases have too: “licence”, “odd”, “comment”."


def test_a_file_without_unknown_fields_leaves_recipe_and_file_as_they_were(tmp_path):
    release = build(squad(tmp_path, {"data": None, "version": "v2.0"}))
    assert "around" not in release.recipe
    assert files_of(release)["train"].startswith(b'{"version": "v2.0", "data": [')


def test_the_version_is_that_of_the_layout_on_its_side(tmp_path):
    made = squad(tmp_path, {"licence": "CC", "data": None, "version": "1.1", "comment": 1})
    assert list(json.loads(files_of(build(made))["train"])) == ["version", "licence", "data", "comment"]
    older = releases.build(made, format="v1.1", by=None, now=NOON)
    assert list(json.loads(files_of(older)["train"])) == ["licence", "data", "version", "comment"]


def test_each_split_has_the_fields_of_its_own_files(tmp_path):
    made = project("squad", "squad")
    for split in ("train", "dev", "test"):
        data = article(paragraph(question(1, id=f"of {split}"), context=f"Anna Holt built it in {split}."))
        fields = {} if split == "test" else {"comment": split}
        imported(made, tmp_path, fields, data=[data], split=split)
    found = {split: json.loads(text).get("comment") for split, text in files_of(build(made)).items()}
    assert found == {"train": "train", "dev": "dev", "test": None}


def test_a_sequestered_split_does_not_show_its_fields_in_releases_without_it(tmp_path):
    made = squad(tmp_path, {"comment": "secret"}, split="test")
    imported(made, tmp_path, {}, data=[article(paragraph(question(7), context="Anna Holt."), title="Two")])
    projects.Project.objects.filter(pk=made.pk).update(config=made.config | {"sequestered": ["test"]})
    made.refresh_from_db()
    release = build(made)
    assert "around" not in release.recipe
    assert b"secret" in files_of(build(made, splits=["test"]))["test"]


def test_the_later_of_two_imports_that_disagree_wins_and_says_so(tmp_path):
    made = squad(tmp_path, {"licence": "one", "only": 1})
    later = imported(made, tmp_path, {"licence": "two"}, data=[DATA["squad"]], now=NOON + timedelta(hours=1))
    assert "An earlier file of train has another “licence”; releases have that of this one." in [
        one.text for one in later.notes
    ]
    found = json.loads(files_of(build(made))["train"])
    assert (found["licence"], found["only"]) == ("two", 1)


def test_the_first_file_wins_again_once_it_is_imported_again(tmp_path):
    made = squad(tmp_path, {"licence": "one"}, {"licence": "two"}, {"licence": "one"})
    assert json.loads(files_of(build(made))["train"])["licence"] == "one"
    jobs = Job.objects.count()
    imported(made, tmp_path, {"licence": "one"}, data=[DATA["squad"]])
    assert Job.objects.count() == jobs


def test_an_undone_import_and_one_after_the_cut_off_have_no_say(tmp_path):
    made = squad(tmp_path, {"licence": "one"}, {"licence": "two"})
    at = NOON + timedelta(minutes=59)
    assert b'"one"' in files_of(build(made, until=at))["train"]
    assert b'"two"' in files_of(build(made, until=NOON + timedelta(hours=1)))["train"]
    Job.objects.filter(pk=Job.objects.latest("pk").pk).update(undone_at=NOON)
    assert b'"one"' in files_of(build(made))["train"]


def test_a_release_is_rebuilt_byte_for_byte_after_an_import_with_other_values(tmp_path):
    files, again = tmp_path / "files", tmp_path / "again"
    files.mkdir()
    again.mkdir()
    made = squad(files, {"licence": "one", "odd": ODD, "data": None, "comment": ODD})
    release = build(made)
    imported(made, files, {"licence": "two"}, data=[DATA["squad"]], now=NOON + timedelta(hours=1))
    release.refresh_from_db()
    rebuild.rebuild(release, again)
    for path in releases.folder_of(release).iterdir():
        assert (again / path.name).read_bytes() == path.read_bytes()
    assert b'"one"' in files_of(release)["train"]
    assert b'"two"' in files_of(build(made))["train"]


@pytest.mark.parametrize(("more", "is_kept"), [(0, True), (1, False)])
def test_fields_are_kept_up_to_a_length_for_the_file(tmp_path, more, is_kept):
    fields = {"comment": "x" * (fields_around.LONGEST - len("comment") - len('""') + more)}
    made = project("squad", "squad")
    report = imported(made, tmp_path, fields, data=[DATA["squad"]])
    assert ("comment" in orjson.loads(files_of(build(made))["train"])) is is_kept
    assert any("too long to be kept" in one.text for one in report.notes) is not is_kept
