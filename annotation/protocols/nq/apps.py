"""Registers the Natural Questions protocol."""

from django.apps import AppConfig


class NqConfig(AppConfig):
    """The NQ protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.nq"
    label = "nq"

    def ready(self) -> None:
        from annotation import registry
        from annotation.protocols.nq.forms import FORMS
        from annotation.protocols.nq.protocol import PROTOCOL

        registry.register(PROTOCOL, forms=FORMS)
