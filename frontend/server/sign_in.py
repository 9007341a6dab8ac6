"""Sign-in: the person of each request by a query compiled once, and a hasher that leaves the processor to pages."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db.models import QuerySet

from annotation.db.compiled import Param, Prepared
from annotation.models import User


class SignInBackend(ModelBackend):
    """Django's backend, by name and password."""

    def get_user(self, user_id: int) -> User | None:
        """The person who is signed in, if they may still; None otherwise."""
        user = _person.first(person=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None


@Prepared
def _person() -> QuerySet[User]:
    return User.objects.filter(pk=Param("person"))


Result = TypeVar("Result")
LEAST_PRIORITY = 19
"""The `nice` value of threads that get the processor when hardly anybody else wants it."""


def at_low_priority(function: Callable[..., Result], *args: Any) -> Result:
    """The result of a function, run in a thread of low priority; threads that it starts inherit that.

    For code that releases the interpreter lock (GIL): a thread that holds the lock while it waits for the processor
    stops all others.
    """
    with ThreadPoolExecutor(1, initializer=_lower_priority) as one:
        return one.submit(function, *args).result()


def _lower_priority() -> None:
    if sys.platform == "linux":  # elsewhere priorities belong to whole processes
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LEAST_PRIORITY)


class Hasher(Argon2PasswordHasher):
    """Django's, with its parameters and its format."""

    def encode(self, password: str, salt: str) -> str:
        """The hash of a new password."""
        return at_low_priority(super().encode, password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Whether this is the password."""
        return at_low_priority(super().verify, password, encoded)
