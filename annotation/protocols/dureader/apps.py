"""Registers DuReader as a protocol."""

from annotation import protocol_app


class DureaderConfig(protocol_app.ProtocolConfig):
    """The DuReader protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.dureader"
