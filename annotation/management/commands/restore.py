"""restore PROJECT --annotation UUID | --worker CODE --reason TEXT: take excluded work in again."""

from annotation import exclusion
from annotation.management.excluding import ExclusionCommand


class Command(ExclusionCommand):
    """Lift exclusions."""

    help = "Take excluded annotations in again."
    change = staticmethod(exclusion.restore)
    done = "Restored"
