"""Registers the protocol."""

from django.apps import AppConfig


class SkeletonOneConfig(AppConfig):
    """The protocol as a Django app: templates, forms, registration."""

    name = "annotation.skeletons.one"
    label = "skeleton_one"

    def ready(self) -> None:
        from annotation import registry
        from annotation.skeletons.one.forms import FORMS
        from annotation.skeletons.one.protocol import PROTOCOL

        registry.register(PROTOCOL, forms=FORMS)
