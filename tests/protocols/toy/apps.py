"""Registers the toy protocol: GOLDFINCH_PROTOCOLS names it in tests."""

from django.apps import AppConfig


class ToyConfig(AppConfig):
    """The minimal protocol with turns and seats: two people talk for three turns."""

    name = "tests.protocols.toy"
    label = "toy"

    def ready(self) -> None:
        from annotation import registry
        from tests.protocols.toy.forms import FORMS
        from tests.protocols.toy.protocol import PROTOCOL

        registry.register(PROTOCOL, forms=FORMS)
