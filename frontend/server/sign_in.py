"""Reads the person of each request with a query that is compiled once."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend
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
def _person() -> QuerySet:
    return User.objects.filter(pk=Param("person"))
