"""API tokens, encrypted as they are stored: a copy of the database alone does not have them."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from annotation.errors import WrongMove
from annotation.i18n import _


def seal(token: str) -> str:
    """The token, encrypted with a key that is derived from SECRET_KEY."""
    return _cipher().encrypt(token.encode()).decode()


def unseal(sealed: str) -> str:
    """The token again. WrongMove if SECRET_KEY has changed since, or the study has ended."""
    try:
        return _cipher().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise WrongMove(_("The token can’t be read any more. Give it again.")) from None


def _cipher() -> Fernet:
    derived = HKDF(hashes.SHA256(), length=32, salt=None, info=b"goldfinch prolific tokens")
    return Fernet(base64.urlsafe_b64encode(derived.derive(settings.SECRET_KEY.encode())))
