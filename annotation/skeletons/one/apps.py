"""Registers the protocol."""

from annotation import protocol_app


class SkeletonOneConfig(protocol_app.ProtocolConfig):
    """The protocol as a Django app: templates, forms, registration."""

    name = "annotation.skeletons.one"
    label = "skeleton_one"
