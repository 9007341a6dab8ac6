"""Commands in processes of their own, on the test's database and data folder: to be killed or measured."""

from __future__ import annotations

import os
import subprocess
import sys
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from tests.site import CHECKOUT


def database_url() -> str:
    """The `DATABASE_URL` of the test database."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    account = f"{quote(found['USER'])}:{quote(found['PASSWORD'])}" if found["PASSWORD"] else quote(found["USER"])
    return f"postgresql://{account}@{quote(found['HOST'], safe='')}:{found['PORT']}/{found['NAME']}"


def environment(database: str = "") -> dict[str, str]:
    """The settings of this test (or another database) as environment variables of a child."""
    return os.environ | {
        "DATABASE_URL": database or database_url(),
        "GOLDFINCH_DATA": str(settings.GOLDFINCH_DATA),
        "DJANGO_SETTINGS_MODULE": "frontend.settings",
    }


def start(module: str, *arguments: str, database: str = "") -> subprocess.Popen[str]:
    """Start `python -m module arguments`."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=CHECKOUT, env=environment(database), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def ended(child: subprocess.Popen[str]) -> str:
    """Wait for a child; return its output, or raise with it if the child failed."""
    out, said = child.communicate()
    assert child.returncode == 0, f"ended with {child.returncode}: {said[-2000:]}"
    return out


def manage(*arguments: str, database: str = "") -> str:
    """Run `manage.py` with these arguments to its end."""
    return ended(start("manage", *arguments, database=database))
