"""import_items PROJECT FILE: raw material to be worked on."""

from annotation.management.importing import ImportCommand


class Command(ImportCommand):
    """Import raw items in the layout that the project's protocol reads."""

    help = "Import raw items into a project, all or nothing."
    published = False
