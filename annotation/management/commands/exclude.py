"""exclude PROJECT --annotation UUID | --worker CODE --reason TEXT: leave work out of later releases."""

from annotation import exclusion
from annotation.management.excluding import ExclusionCommand


class Command(ExclusionCommand):
    """Exclude annotations; the record and the releases that are frozen keep them."""

    help = "Leave annotations out of agreement and later releases."
    change = staticmethod(exclusion.exclude)
    done = "Excluded"
