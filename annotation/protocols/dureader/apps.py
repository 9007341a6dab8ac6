"""Registers DuReader as a protocol."""

from django.apps import AppConfig


class DureaderConfig(AppConfig):
    """The DuReader protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.dureader"
    label = "dureader"

    def ready(self) -> None:
        from annotation import registry
        from annotation.protocols.dureader.forms import FORMS
        from annotation.protocols.dureader.protocol import PROTOCOL

        registry.register(PROTOCOL, forms=FORMS)
