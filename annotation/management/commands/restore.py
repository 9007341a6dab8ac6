"""restore PROJECT --annotation UUID | --worker CODE --reason TEXT: undo exclusions."""

from annotation.engine import exclusion
from annotation.management.commands import exclude


class Command(exclude.Command):
    """Undo exclusions."""

    help = "Undo the exclusion of annotations."
    change = staticmethod(exclusion.restore)
    done = "Restored"
