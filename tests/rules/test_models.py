"""Every table of the record is listed as append-only, write-once or mutable."""

from __future__ import annotations

import pytest
from django.apps import apps

from annotation.triggers import append_only

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
    "tasks.ChatMessage",
    "annotation.Message",
}
MUTABLE = {
    "annotation.User",
    "annotation.Membership",  # ended_at
    "annotation.NewProject",  # a draft
    "annotation.Project",  # title, config, consent_sha256, archived_at, removed_at and then its slug
    "annotation.Agreement",  # a cache: measured anew from the record
    "annotation.AgreementTable",  # the same
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
