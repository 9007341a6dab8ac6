"""Every table of the record is listed as append-only, write-once or mutable, and who asks for items out of the work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.apps import apps

from annotation.triggers import append_only

CHECKOUT = Path(__file__).resolve().parents[2]
LAYERS = ("annotation", "qualification", "tasks", "frontend")
MANAGERS = re.compile(r"\bwith_(set_aside|undone)\b")
APPEND_ONLY = {
    "annotation.Response",
    "annotation.Event",
    "annotation.Consent",
    "annotation.ConsentText",
    "annotation.GuidelineVersion",
    "annotation.Blob",
    "annotation.Document",
    "annotation.ItemDocument",
    "annotation.TimeSpan",
    "annotation.TimeAmendment",
    "annotation.Payment",
    "qualification.AttemptAnswer",
    "qualification.CoursePicture",
    "qualification.ExtraTime",
    "qualification.TutorialAnswer",
    "tasks.ChatMessage",
    "annotation.Message",
    "annotation.Exhibit",
    "annotation.AgendaStep",
    "annotation.Argument",
    "annotation.Confirmation",
    "annotation.Consensus",
    "annotation.MeetingMark",
    "annotation.Proposal",
    "annotation.Removal",
    "annotation.Defect",
    "annotation.Prediction",
    "annotation.PredictionSet",
    "annotation.Recusal",
}
MUTABLE = {
    "annotation.User",
    "annotation.Membership",  # ended_at
    "annotation.NewProject",  # a draft
    "annotation.Project",  # title, config, consent_sha256, archived_at, removed_at and then its slug
    "annotation.Agreement",  # a cache: measured anew from the record
    "annotation.AgreementTable",  # the same
    "annotation.AllowedHost",  # removed; the history keeps what was allowed
    "annotation.Item",  # is_gold, its job when another import adopts it, undone_at and set_aside_at
    "annotation.Draft",
    "annotation.Thread",  # what each side has read
    "annotation.Case",  # its state
    "annotation.Flag",  # settled_at
    "annotation.Release",  # its state, and hashes once
    "annotation.Job",
    "annotation.JobLease",  # who does some work now
    "annotation.IdKey",  # emptied by an operator who wants other ids
    "annotation.SearchText",
    "annotation.ItemText",  # a cache of captions and ids
    "annotation.Upload",  # how much has arrived; removed when the file is
    "annotation.JudgingRound",  # a draft; then its state, chair and end
    "annotation.Rater",  # locked_at
    "annotation.LineRemark",  # a job that starts again writes its own anew
}


def test_every_model_of_the_record_is_on_one_list():
    kept = [label for label in APPEND_ONLY if label.startswith("annotation.")]
    listed = [*kept, *(label for label in append_only.WRITE_ONCE if label.startswith("annotation.")), *MUTABLE]
    assert sorted(listed) == sorted(model._meta.label for model in apps.get_app_config("annotation").get_models())


def test_append_only_models_are_those_on_the_list():
    assert sorted(append_only.append_only()) == sorted(APPEND_ONLY)


@pytest.mark.parametrize("label", append_only.WRITE_ONCE)
def test_the_mutable_columns_of_a_write_once_row_exist(label):
    names = {field.name for field in apps.get_model(label)._meta.concrete_fields}
    free = {*append_only.WRITE_ONCE[label], *append_only.MUTABLE_COLUMNS[label]}
    assert free <= names
    assert {"id", "uuid", "item", "author", "qualification", "user"}.isdisjoint(free)


BEYOND_THE_WORK = {
    "annotation/engine/committing.py": "ids are unique among all",
    "annotation/imports/already_there.py": "an import recognises all that is there",
    "annotation/imports/insert.py": "ids are unique among all, and children take the value of their root",
    "annotation/imports/recognising.py": "an import recognises all that is there",
    "annotation/models/corpus.py": "defines them",
    "frontend/access/disputes.py": "leads compare the answers of what is set aside",
    "frontend/access/led.py": "leads see its page",
    "frontend/api/views/items.py": "reads the annotations of rows that were chosen before",
    "frontend/errors.py": "names the item of a refusal",
    "frontend/experts/references.py": "experts write references for what is set aside",
    "frontend/leads/case_details.py": "cases are about people",
    "frontend/leads/items/bulk_decisions.py": "leads return several",
    "frontend/leads/items/listing.py": "the list of what is set aside",
    "frontend/leads/items/overview.py": "whether anything was imported",
    "frontend/leads/items/reports.py": "names rows that were chosen before",
    "frontend/leads/items/undoing.py": "returns what was set aside a moment ago",
    "frontend/work/search.py": "names results that were chosen before",
    "qualification/courses/real_items.py": "exams ask what is set aside",
    "tasks/engine/eligibility.py": "what a person did with it still bars them from what is alike",
    "tasks/engine/queues.py": "looks for what has left the work meanwhile",
    "tasks/engine/similarity.py": "forgets what was measured of it",
    "tasks/items/reports.py": "refuses to decide about it",
    "tasks/items/setting_aside.py": "sets items aside",
    "tasks/setup/archiving.py": "a project that has any item is not empty",
}
"""Who asks for items beyond `Item.objects`, which has those in the work, and why."""


def test_only_these_modules_ask_for_items_that_are_not_in_the_work():
    code = [path for layer in LAYERS for path in (CHECKOUT / layer).rglob("*.py")]
    asking = {path for path in code if MANAGERS.search(path.read_text(encoding="utf-8"))}
    assert sorted(str(path.relative_to(CHECKOUT)) for path in asking) == sorted(BEYOND_THE_WORK)
