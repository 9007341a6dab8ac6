"""Registers the protocol."""

from annotation import protocol_app


class SkeletonPairConfig(protocol_app.ProtocolConfig):
    """The protocol as a Django app: templates, forms, registration."""

    name = "annotation.skeletons.pair"
    label = "skeleton_pair"
