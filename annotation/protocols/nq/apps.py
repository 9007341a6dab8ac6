"""Registers the Natural Questions protocol."""

from annotation import protocol_app


class NqConfig(protocol_app.ProtocolConfig):
    """The NQ protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.nq"
