"""Somebody who signs in with a second step gives a code of it for each token."""

from __future__ import annotations

from django.urls import reverse

from annotation.models import User
from qualification.models import ApiToken
from tests.frontend.accounts.codes import set_up
from tests.frontend.accounts.conftest import PASSWORD, anna, sign_in

__all__ = ["anna", "sign_in"]
SAID = {"name": "script", "scope": "work", "days": "7"}


def test_the_password_alone_makes_no_token_and_a_code_makes_one(sign_in, anna: User):
    browser, _signed_in = sign_in()
    _key, recovery = set_up(browser)
    for proof in ({"password": PASSWORD}, {"code": "000000"}, {"code": ""}):
        shown = browser.post(reverse("tokens"), SAID | proof)
        assert (shown.status_code, list(shown.context["form"].errors)) == (422, ["code"])
    assert not ApiToken.objects.exists()
    assert browser.post(reverse("tokens"), SAID | {"code": recovery[0]}).status_code == 200
    assert ApiToken.objects.get().user == anna
    assert browser.post(reverse("tokens"), SAID | {"code": recovery[0]}).status_code == 422, "a code works once"
