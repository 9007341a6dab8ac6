"""Projects, their guidelines, items and jobs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import factory

from annotation import projects, pseudonyms
from annotation.models import GuidelineVersion, IdKey, Item, ItemText, Job, JobLease, Project, SearchText
from annotation.setup import changes
from tests.factories.base import NOON, RowFactory


class ProjectFactory(RowFactory):
    """A project with its first guidelines, seeded by its slug, so that a test sees the same order each time."""

    class Meta:
        model = Project

    slug = "lights"
    title = factory.LazyAttribute(lambda row: row.slug.title())
    protocol = "nq"
    config = factory.LazyFunction(dict)
    created_at = NOON

    @classmethod
    def _create(cls, model_class: type[Project], *, slug: str, config: dict[str, Any], created_at: datetime, **columns):
        return projects.create(slug=slug, config={"seed": slug} | config, by=None, now=created_at, **columns)


class GuidelineVersionFactory(RowFactory):
    """A further version (`number`: 2 or more) of the guidelines of `project`, in force."""

    class Meta:
        model = GuidelineVersion

    number = 2
    text = "New."
    fast_share = 0
    kind = GuidelineVersion.Kind.SEMANTIC
    at = NOON

    @classmethod
    def _create(cls, model_class: type[GuidelineVersion], *, project: Project, number: int, at: datetime, **columns):
        return changes.publish_guidelines(project, seen=number - 1, by=None, now=at, **columns)


class ItemFactory(RowFactory):
    """An item of `project` without a document; `builders.load` imports items with theirs."""

    class Meta:
        model = Item

    kind = "example"
    position = 0
    external_id = factory.LazyAttribute(lambda row: str(row.position))
    split = "train"
    payload = factory.LazyFunction(dict)
    content_sha256 = ""


class ItemTextFactory(RowFactory):
    """By what leads find `item`, as an older version may have written it."""

    class Meta:
        model = ItemText

    text = ""


class SearchTextFactory(RowFactory):
    """In what writers find `item`, as an older version may have written it."""

    class Meta:
        model = SearchText

    title = ""
    abstract = ""


class JobLeaseFactory(RowFactory):
    """A lease that a process of another machine holds, until `until`."""

    class Meta:
        model = JobLease

    name = "work"
    holder = "elsewhere 1 1 x"


class IdKeyFactory(RowFactory):
    """The fingerprint of the key `key`."""

    class Meta:
        model = IdKey

    class Params:
        key = "ours"

    fingerprint = factory.LazyAttribute(lambda row: pseudonyms.fingerprint(row.key))


class JobFactory(RowFactory):
    """A job of `project` that has not begun; `long_jobs.ask` also has it started."""

    class Meta:
        model = Job
        django_get_or_create = ("key",)

    kind = "import_items"
    key = factory.SelfAttribute("kind")
