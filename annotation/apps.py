"""The record: documents, items, annotations, protocols, agreement, releases."""

import gc

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AnnotationConfig(AppConfig):
    """Makes triggers and the search index after every migrate, since SQLite drops them whenever a table is remade."""

    name = "annotation"

    def ready(self) -> None:
        from annotation import append_only, search
        from annotation.db import lookups  # noqa: F401 (the lookup is known from here on)

        # A page is some hundred thousand small objects: by default the collector looks at all there are again and
        # again while they are made, which took half of an import's time.
        gc.set_threshold(100_000, 20, 20)
        post_migrate.connect(append_only.arm_after_migrate, dispatch_uid="annotation.arm")
        post_migrate.connect(search.arm_after_migrate, dispatch_uid="annotation.search")
