"""Registers the QASPER protocol."""

from django.apps import AppConfig


class QasperConfig(AppConfig):
    """The QASPER protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.qasper"
    label = "qasper"

    def ready(self) -> None:
        from annotation import registry
        from annotation.protocols.qasper.forms import FORMS
        from annotation.protocols.qasper.protocol import PROTOCOL

        registry.register(PROTOCOL, forms=FORMS)
