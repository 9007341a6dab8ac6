"""Registers SQuAD as a protocol."""

from annotation import protocol_app


class SquadConfig(protocol_app.ProtocolConfig):
    """The SQuAD protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.squad"
