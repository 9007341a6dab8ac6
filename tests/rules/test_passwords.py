"""Passwords are kept as Argon2 hashes, which are made without slowing down anything else."""

import os
import sys

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.utils.module_loading import import_string

from frontend import settings
from frontend.server.sign_in import LEAST_PRIORITY, at_low_priority


@pytest.fixture
def hasher():
    return import_string(settings.PASSWORD_HASHERS[0])()


def test_passwords_are_kept_with_argon2_and_parameters_no_weaker_than_those_of_django(hasher):
    kept = hasher.encode("the right password", hasher.salt())
    assert Argon2PasswordHasher().verify("the right password", kept)
    assert hasher.verify("the right password", kept)
    assert not hasher.verify("another password", kept)
    assert not Argon2PasswordHasher().must_update(kept)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux")
def test_they_are_hashed_at_low_priority_in_threads_that_end(hasher, monkeypatch):
    seen = []
    monkeypatch.setattr(Argon2PasswordHasher, "verify", lambda *args: seen.append(os.getpriority(os.PRIO_PROCESS, 0)))
    hasher.verify("a password", "")
    assert seen == [LEAST_PRIORITY]
    assert at_low_priority(os.getpriority, os.PRIO_PROCESS, 0) == LEAST_PRIORITY
    assert os.getpriority(os.PRIO_PROCESS, 0) < LEAST_PRIORITY
