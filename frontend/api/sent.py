"""What a call sent, checked: names that are not known are refused, so that a misspelt one is not passed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from annotation.models import Membership, Project, User

F = TypeVar("F", bound=serializers.BaseSerializer[Any])


class SentSerializer(serializers.Serializer[Any]):
    """The fields of a body, and no others."""

    others: frozenset[str] = frozenset()

    def to_internal_value(self, data: Any) -> Any:
        """The values of the fields; ValidationError with every name that is not known."""
        unknown = sorted(set(data) - {*self.fields} - self.others) if isinstance(data, Mapping) else []
        if unknown:
            raise serializers.ValidationError({name: [_("There is no such field.")] for name in unknown})
        return super().to_internal_value(data)


class QuerySerializer(SentSerializer):
    """The parameters of a list, besides those of its pages."""

    others = frozenset({"cursor", "limit"})


class ParametersSerializer(QuerySerializer):
    """The parameters of what has no pages."""

    others = frozenset()


def checked_fields(fields: F) -> F:
    """The same fields, valid; ValidationError for those that are not possible."""
    fields.is_valid(raise_exception=True)
    return fields


def checked_body(request: Request, fields: type[serializers.BaseSerializer[Any]]) -> dict[str, Any]:
    """The values of the body; ValidationError for those that are not possible."""
    found: dict[str, Any] = checked_fields(fields(data=request.data)).validated_data
    return found


def checked_query(request: Request, fields: type[serializers.BaseSerializer[Any]]) -> dict[str, Any]:
    """The values of the query; ValidationError for those that are not possible."""
    found: dict[str, Any] = checked_fields(fields(data=request.query_params.dict())).validated_data
    return found


def checked_form(form: forms.BaseForm) -> Any:
    """The values of a page's form; ValidationError with the sentences of the page."""
    if not form.is_valid():
        wrong = {name: [str(each) for each in said] for name, said in form.errors.items()}
        whole = wrong.pop(NON_FIELD_ERRORS, None)
        raise serializers.ValidationError(wrong | ({"non_field_errors": whole} if whole else {}))
    return form.cleaned_data


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
