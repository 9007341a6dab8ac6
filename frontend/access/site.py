"""What belongs to the site as a whole, for its admins."""

from __future__ import annotations

from annotation import clock, membership
from annotation.errors import NotFound
from annotation.models import User
from frontend.access.rows import or_not_found
from frontend.accounts import second_step


def site_admin(user: User) -> User:
    """An admin of the site; SecondStepMissing if they need one and theirs is overdue."""
    if not membership.is_admin(user):
        raise NotFound
    second_step.check_any(user, now=clock.now())
    return user


def site_account(user: User, code: str) -> User:
    """The account with that worker code, of somebody who can sign in here, for an admin."""
    site_admin(user)
    return or_not_found(User.objects.filter(worker_code=code, imported_as=None).first())
