"""Registers the protocol."""

from django.apps import AppConfig


class SkeletonPairConfig(AppConfig):
    """The protocol as a Django app: templates, forms, registration."""

    name = "annotation.skeletons.pair"
    label = "skeleton_pair"

    def ready(self) -> None:
        from annotation import registry
        from annotation.skeletons.pair.forms import FORMS
        from annotation.skeletons.pair.protocol import PROTOCOL

        registry.register(PROTOCOL, forms=FORMS)
