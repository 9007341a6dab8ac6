"""exclude PROJECT --annotation UUID | --worker CODE --reason TEXT: exclude work from later releases."""

from annotation.engine import exclusion
from annotation.management.excluding import ExclusionCommand


class Command(ExclusionCommand):
    """Exclude annotations; they stay in the record and in frozen releases."""

    help = "Exclude annotations from agreement and later releases."
    change = staticmethod(exclusion.exclude)
    done = "Excluded"
