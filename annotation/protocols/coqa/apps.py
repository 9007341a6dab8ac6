"""Registers CoQA as a protocol."""

from django.apps import AppConfig


class CoqaConfig(AppConfig):
    """The CoQA protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.coqa"
    label = "coqa"

    def ready(self) -> None:
        from annotation import registry
        from annotation.protocols.coqa.forms import FORMS
        from annotation.protocols.coqa.protocol import PROTOCOL

        registry.register(PROTOCOL, forms=FORMS)
