"""Commands in processes of their own, on the test's database and data folder: to be killed, and to be measured."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection

CHECKOUT = Path(__file__).resolve().parents[2]


def database_url() -> str:
    """The test database as `DATABASE_URL` names one."""
    found = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{found['NAME']}"
    account = f"{quote(found['USER'])}:{quote(found['PASSWORD'])}" if found["PASSWORD"] else quote(found["USER"])
    return f"postgresql://{account}@{quote(found['HOST'], safe='')}:{found['PORT']}/{found['NAME']}"


def start(module: str, *arguments: str, database: str = "") -> subprocess.Popen[str]:
    """`python -m module arguments`, with the settings of this test (or another database)."""
    environment = os.environ | {
        "DATABASE_URL": database or database_url(),
        "GOLDFINCH_DATA": str(settings.GOLDFINCH_DATA),
        "DJANGO_SETTINGS_MODULE": "frontend.settings",
    }
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=CHECKOUT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def ended(child: subprocess.Popen[str], *, code: int = 0) -> str:
    """What a child printed that ended as it should; else an error with what it said."""
    out, said = child.communicate()
    assert child.returncode == code, f"ended with {child.returncode}: {said[-2000:]}"
    return out


def manage(*arguments: str, database: str = "") -> str:
    """`manage.py` with these arguments, to its end."""
    return ended(start("manage", *arguments, database=database))


def killed(point: int, arguments: Sequence[str], *, build: str = "real") -> None:
    """An import that gets SIGKILL before the statement of that number in its pass 2."""
    ended(start("tests.proofs.killing", build, str(point), *arguments), code=-signal.SIGKILL)


def statements(*arguments: str) -> int:
    """An import to its end; returns how many statements its pass 2 had."""
    return int(ended(start("tests.proofs.killing", "real", "0", *arguments)).splitlines()[-1])
