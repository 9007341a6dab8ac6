"""An export by forked processes: `python -m tests.proofs.rigs.forked_export PROJECT`.

Prints how many processes wrote text.
"""

from __future__ import annotations

import os
import sys
import tempfile

import django


def main(project: str) -> None:
    """Small batches for three processes, whatever the machine has."""
    django.setup()
    from django.core.management import call_command

    from annotation.processes import forked_pool
    from annotation.releases import data_files

    forked_pool._cores, data_files.SLICE = (lambda: 3), 5
    real = data_files.texts_of
    with tempfile.TemporaryDirectory() as folder:

        def noted(*args, **kwargs):
            open(f"{folder}/{os.getpid()}", "w").close()
            return real(*args, **kwargs)

        data_files.texts_of = noted
        call_command("export_release", project, format="nq")
        print(len(os.listdir(folder)))


if __name__ == "__main__":
    main(sys.argv[1])
