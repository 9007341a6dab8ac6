"""numpy takes a tenth of a second to import: commands and the site start without it."""

from __future__ import annotations

import os
import subprocess
import sys

START = """
import sys, django
django.setup()
import frontend.urls, frontend.celery, tasks.jobs
print("numpy" in sys.modules)
"""


def test_neither_urls_nor_jobs_import_numpy(tmp_path):
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "frontend.settings", "GOLDFINCH_DATA": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", START], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
