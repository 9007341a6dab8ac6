"""People whom a call names by their worker codes. No call takes a user name: that would tell whose code it is."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from annotation.models import Membership, Project, User


def members_of(project: Project) -> QuerySet[User]:
    """Those who are members now."""
    live = Membership.objects.filter(project=project, ended_at__isnull=True)
    return User.objects.filter(pk__in=live.values("user"))


def people_named(codes: Sequence[str], *, among: QuerySet[User], field: str) -> list[User]:
    """The people with these worker codes, in their order; ValidationError of the field for a code of nobody `among`
    them, or one that is there twice.
    """
    found = {person.worker_code: person for person in among.filter(worker_code__in=codes)}
    if len(found) != len(codes):
        raise ValidationError({field: [_("Name people of the project who can be chosen for it, each once.")]})
    return [found[code] for code in codes]
