"""The record: documents, items, annotations, protocols, agreement, releases."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AnnotationConfig(AppConfig):
    """Makes triggers and the search index after every migrate, since SQLite drops them whenever a table is remade."""

    name = "annotation"

    def ready(self) -> None:
        from annotation import immutable, search

        post_migrate.connect(immutable.arm_after_migrate, dispatch_uid="annotation.arm")
        post_migrate.connect(search.arm_after_migrate, dispatch_uid="annotation.search")
