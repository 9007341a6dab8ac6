"""Accounts, and the members of projects."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import factory
from factory.django import DjangoModelFactory

from annotation import membership
from annotation.models import Consent, Membership, Project, Role, User
from qualification.models import Participant, SignIn
from tests.factories.base import NOON, RowFactory


class UserFactory(RowFactory):
    """An account, `username`. Its `password` is usable unless it is None."""

    class Meta:
        model = User

    password = factory.django.Password("a password for tests only")


class MembershipFactory(RowFactory):
    """A role of `user` in `project`, whose consent text they have not accepted by that."""

    class Meta:
        model = Membership

    role = Role.ANNOTATOR
    since = NOON

    @classmethod
    def _create(cls, model_class: type[Membership], *, project: Project, user: User, role: str, since: datetime):
        membership.join(project=project, user=user, role=role, by=None, now=since)
        return Membership.objects.get(project=project, user=user, role=role, ended_at=None)


class ConsentFactory(RowFactory):
    """That `user` has accepted a consent text of `project`."""

    class Meta:
        model = Consent

    text_sha256 = "0" * 64
    at = NOON


class MemberFactory(DjangoModelFactory):
    """The person `username` as a member of `project` who has accepted its consent text; a user.

    An account of that name joins; otherwise one is made, with a password by chance or with what is given for it.
    """

    class Meta:
        model = User

    role = Role.ANNOTATOR

    @classmethod
    def _create(
        cls, model_class: type[User], *, project: Project, username: str, role: str, now: datetime, **account: Any
    ):
        if account and not User.objects.filter(username=username).exists():
            UserFactory(username=username, **account)
        user, _password = membership.add(project=project, username=username, role=role, by=None, now=now)
        membership.accept_consent(user=user, project=project, now=now)
        return user


class ParticipantFactory(RowFactory):
    """Who `user` is on the recruitment site from which they came to `project`."""

    class Meta:
        model = Participant

    parameters = factory.LazyFunction(dict)
    at = NOON


class SignInFactory(RowFactory):
    """A session of `user`, as their account's page lists it."""

    class Meta:
        model = SignIn

    at = NOON
