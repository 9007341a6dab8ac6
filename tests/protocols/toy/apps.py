"""Enters the toy protocol in the registry of protocols: GOLDFINCH_PROTOCOLS names it where tests run."""

from django.apps import AppConfig


class ToyConfig(AppConfig):
    """Two people talk for three turns: the least that needs turns and seats."""

    name = "tests.protocols.toy"
    label = "toy"

    def ready(self) -> None:
        from annotation import protocol
        from tests.protocols.toy.forms import FORMS
        from tests.protocols.toy.protocol import PROTOCOL

        protocol.register(PROTOCOL, forms=FORMS)
