"""Registers CoQA as a protocol."""

from annotation import protocol_app


class CoqaConfig(protocol_app.ProtocolConfig):
    """The CoQA protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.coqa"
