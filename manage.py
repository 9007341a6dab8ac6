#!/usr/bin/env python
"""Django's command line for Goldfinch."""

import os
import sys

FULL = (
    "The disk is full, so this command stopped ({}). Free some space and run it again: "
    "an import goes on where it stopped, and nothing else was left half done."
)


def main() -> None:
    """Run a command; a full disk ends it with a sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "frontend.settings")
    from annotation.processes import children

    children.end_with_parent()
    from django.core.management import execute_from_command_line
    from django.db import Error

    from annotation.db import full_disk

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except (OSError, Error) as error:
        if not full_disk.is_full(error):
            raise
        sys.exit(FULL.format(str(error).strip()))


if __name__ == "__main__":
    main()
