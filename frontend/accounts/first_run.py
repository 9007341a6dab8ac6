"""The first account of a site: whoever reads the code that the server prints makes it, and becomes the admin.

The hash of the code is in the data folder for as long as there is no account; while it is there, every address shows
the page for it (frontend/middleware/each_request.py).
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction

from annotation import events, membership, randomness
from annotation.errors import NotFound
from annotation.models import User
from annotation.storage import files

NAME = "first_run"


def offer() -> str | None:
    """A new code, if nobody has an account; None otherwise. Codes printed by other processes keep working."""
    if _has_accounts():
        _file().unlink(missing_ok=True)
        return None
    code = randomness.password()
    with _locked():
        files.write_whole(_file(), f"{_known()}{_hash(code)}\n".encode())
    return code


def is_open() -> bool:
    """Whether the site waits for its first account; one may have been made by a command meanwhile."""
    if not _file().exists():
        return False
    if not _has_accounts():
        return True
    _file().unlink(missing_ok=True)
    return False


def is_right(code: str) -> bool:
    """Whether this is one of the codes; spaces, capitals and dashes don't matter."""
    return any(hmac.compare_digest(_hash(code), each) for each in _known().split())


def make_admin(code: str, *, username: str, password_hash: str, email: str, now: datetime) -> User:
    """Make the first account, an admin's. NotFound if the code is wrong, or somebody was faster."""
    with _locked():
        if not is_right(code) or _has_accounts():
            raise NotFound
        with transaction.atomic():
            user = membership.make_account(username=username, password_hash=password_hash, email=email)
            user.is_staff = user.is_superuser = True
            user.save(update_fields=["is_staff", "is_superuser"])
            events.record("account.first_admin", user, by=user, now=now)
        _file().unlink(missing_ok=True)
    return user


def _has_accounts() -> bool:
    """Authors of imported files are no accounts: nobody signs in as them."""
    return User.objects.filter(imported_as=None).exists()


def _known() -> str:
    """The hashes, a line each; empty if the file is gone, as it may be at any moment: somebody makes the account."""
    try:
        return _file().read_text()
    except FileNotFoundError:
        return ""


def _file() -> Path:
    return Path(settings.GOLDFINCH_DATA) / NAME


def _hash(code: str) -> str:
    return hashlib.sha256("".join(filter(str.isalnum, code.casefold())).encode()).hexdigest()


@contextmanager
def _locked() -> Iterator[None]:
    """Hold the lock of all processes on this folder: a database alone would let two people be the first."""
    with (_file().with_suffix(".lock")).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
