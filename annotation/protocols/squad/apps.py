"""Registers SQuAD as a protocol."""

from django.apps import AppConfig


class SquadConfig(AppConfig):
    """The SQuAD protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.squad"
    label = "squad"

    def ready(self) -> None:
        from annotation import registry
        from annotation.protocols.squad.forms import FORMS
        from annotation.protocols.squad.protocol import PROTOCOL

        registry.register(PROTOCOL, forms=FORMS)
