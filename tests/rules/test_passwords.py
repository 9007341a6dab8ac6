"""Passwords of a real site are hashed with argon2; the tests' own people have a faster hash (tests/conftest.py)."""

from frontend import settings


def test_passwords_are_kept_with_argon2():
    assert settings.PASSWORD_HASHERS[0] == "django.contrib.auth.hashers.Argon2PasswordHasher"
