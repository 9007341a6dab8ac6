"""How passwords are kept on a real site; the tests' own people have quicker ones (tests/conftest.py)."""

from frontend import settings


def test_passwords_are_kept_with_argon2():
    assert settings.PASSWORD_HASHERS[0] == "django.contrib.auth.hashers.Argon2PasswordHasher"
