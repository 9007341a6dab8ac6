"""Excluding and restoring: with a reason, in the history, out of new releases, and never out of a frozen one."""

from __future__ import annotations

import uuid

import pytest
from django.core.management import CommandError, call_command

from annotation import releases
from annotation.engine import exclusion
from annotation.errors import NotFound, ReleaseRefused, WrongMove
from annotation.models import Annotation, Event
from annotation.releases import data_files, rebuild
from tests.builders import Worker, open_with, questions
from tests.people import NOON

pytestmark = pytest.mark.on_both_databases


@pytest.fixture
def work(nq, alice, bob, tmp_path):
    """Three questions answered by alice and one by bob."""
    open_with(nq, tmp_path, questions(4))
    done = [Worker(alice, nq).finish_bad().annotation for _ in range(3)]
    return [*done, Worker(bob, nq).finish_bad().annotation]


def build(project, **kwargs):
    return releases.build(project, format="nq", by=None, now=NOON, **kwargs)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rebuilt(release, folder):
    folder.mkdir()
    rebuild.rebuild(release, folder)
    return files(folder)


def exclude(project, *annotations, reason="copied from a friend", **kwargs):
    named = [row.uuid for row in annotations]
    return exclusion.exclude(project, uuids=named, by=None, reason=reason, now=NOON, **kwargs)


def test_a_new_release_leaves_out_excluded_work_and_counts_it(nq, work):
    exclude(nq, work[0])
    counts = releases.manifest_of(build(nq))["counts"]["train"]
    assert (counts["annotations"], counts["left_out_excluded"], counts["left_out_incomplete"]) == (3, 1, 1)


def test_a_frozen_release_is_rebuilt_byte_for_byte_whatever_was_excluded_since(nq, work, alice, tmp_path):
    release = build(nq)
    frozen = files(releases.folder_of(release))
    exclusion.exclude(nq, worker=alice.worker_code, by=None, reason="test", now=NOON)
    assert rebuilt(release, tmp_path / "again") == frozen
    assert releases.manifest_of(build(nq))["counts"]["train"]["annotations"] == 1
    call_command("rebuild_release", nq.slug, "1", out=tmp_path / "third")
    assert files(tmp_path / "third") == frozen


@pytest.mark.parametrize("name", ["members.jsonl", "manifest.json"])
def test_members_that_differ_from_the_frozen_ones_build_nothing(nq, work, tmp_path, name):
    release = build(nq)
    path = releases.folder_of(release) / name
    path.write_bytes(path.read_bytes().replace(b"train", b"trail", 1))
    with pytest.raises(ReleaseRefused, match=name):
        rebuilt(release, tmp_path / "again")
    with pytest.raises(CommandError, match=name):
        call_command("rebuild_release", nq.slug, "1")


def test_a_release_that_is_rebuilt_differently_is_noticed(nq, work, tmp_path, monkeypatch):
    release = build(nq)
    real = data_files._pieces
    monkeypatch.setattr(data_files, "_pieces", lambda *args: (text.upper() for text in real(*args)))
    with pytest.raises(ReleaseRefused, match=r"release 1 differ \(nq-train-00.jsonl.gz, lights-1.zip\)"):
        rebuilt(release, tmp_path / "again")


def test_all_work_of_one_person_can_be_excluded_and_restored_by_the_worker_code(nq, work, alice, lena):
    exclude(nq, work[0], reason="late")
    call_command("exclude", nq.slug, worker=alice.worker_code, reason="pasted text", by="lena")
    assert Annotation.objects.filter(excluded_at__isnull=False, author=alice).count() == 3
    assert not Annotation.objects.filter(excluded_at__isnull=False).exclude(author=alice).exists()
    call_command("restore", nq.slug, worker=alice.worker_code, reason="it was her own text", by="lena")
    [late] = Annotation.objects.filter(excluded_at__isnull=False)
    assert late == work[0]
    told = [(event.by, event.data["reason"]) for event in Event.objects.filter(kind="annotation.restored")]
    assert told == [(lena.pk, "it was her own text")] * 2


def test_the_history_says_who_excluded_what_and_why(nq, work, lena):
    exclusion.exclude(nq, uuids=[work[0].uuid], by=lena, reason="copied", now=NOON)
    event = Event.objects.get(kind="annotation.excluded")
    assert (event.by, event.subject, event.data) == (lena.pk, f"annotation:{work[0].uuid}", {"reason": "copied"})


def test_an_exclusion_keeps_its_first_reason_and_is_all_or_nothing(nq, work):
    exclude(nq, work[0], reason="first")
    with pytest.raises(WrongMove, match="already excluded"):
        exclude(nq, work[1], work[0], reason="second")
    with pytest.raises(WrongMove, match="not excluded"):
        exclusion.restore(nq, uuids=[work[0].uuid, work[1].uuid], by=None, reason="both", now=NOON)
    with pytest.raises(NotFound):
        exclude(nq, work[1], type("No", (), {"uuid": uuid.uuid4()}))
    assert Annotation.objects.get(excluded_at__isnull=False).exclusion_reason == "first"


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 201])
def test_nothing_is_excluded_without_a_reason(nq, work, reason):
    with pytest.raises(WrongMove, match="reason"):
        exclude(nq, work[0], reason=reason)
    assert not Annotation.objects.filter(excluded_at__isnull=False).exists()


@pytest.mark.parametrize("wrong", [{"by": "alice"}, {"worker": "nobody"}, {"worker": ""}])
def test_the_command_refuses_people_who_are_not_leads_and_unknown_codes(nq, work, alice, wrong):
    options = {"worker": alice.worker_code, "reason": "test"} | wrong
    with pytest.raises(CommandError):
        call_command("exclude", nq.slug, **options)
    assert not Annotation.objects.filter(excluded_at__isnull=False).exists()
