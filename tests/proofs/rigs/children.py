"""The environment of processes on the test's database and data folder: to be killed or measured."""

from __future__ import annotations

import os
from urllib.parse import quote

from django.conf import settings
from django.db import connection


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
