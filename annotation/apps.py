"""The record: documents, items, annotations, protocols, agreement, releases."""

import gc

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate


class AnnotationConfig(AppConfig):
    """Creates triggers and the search index after every migrate: SQLite drops them when a table is rebuilt.

    It also copies the pages of data folders of earlier versions into the database.
    """

    name = "annotation"

    def ready(self) -> None:
        from annotation import pseudonyms, registry, search
        from annotation.db import compiled  # noqa: F401 (registers the lookup)
        from annotation.judging.forms import FORMS
        from annotation.judging.protocol import JUDGING
        from annotation.storage import moving
        from annotation.triggers import append_only

        registry.register(JUDGING, forms=FORMS, of_all=True)
        # A page is some hundred thousand small objects: with the default threshold the garbage collector scans them
        # over and over while they are created, which took half of an import's time.
        gc.set_threshold(100_000, 20, 20)
        pre_migrate.connect(append_only.step_aside_before_migrate, dispatch_uid="annotation.triggers_aside")
        post_migrate.connect(append_only.install_after_migrate, dispatch_uid="annotation.triggers")
        post_migrate.connect(search.index_after_migrate, dispatch_uid="annotation.search")
        post_migrate.connect(pseudonyms.keep_after_migrate, sender=self, dispatch_uid="annotation.pseudonyms")
        connection_created.connect(pseudonyms.check_when_connected, dispatch_uid="annotation.pseudonyms")
        post_migrate.connect(moving.move_after_migrate, sender=self, dispatch_uid="annotation.packs")
