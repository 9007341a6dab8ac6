"""Registers the QASPER protocol."""

from annotation import protocol_app


class QasperConfig(protocol_app.ProtocolConfig):
    """The QASPER protocol as a Django app: templates, forms, registration."""

    name = "annotation.protocols.qasper"
