"""import_release PROJECT FILE: published data with its annotations."""

from annotation.management.importing import ImportCommand


class Command(ImportCommand):
    """Import a file in a published layout with its annotations."""

    help = "Import a published file into a project, all or nothing."
    published = True
