"""Errors as problem+json (RFC 9457), with the sentences of the pages: `type` is a stable code, `detail` for people."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.response import Response as Answer
from rest_framework.views import set_rollback

from annotation import errors
from annotation.db import full_disk
from frontend.errors import UNAVAILABLE, row_of, translated
from qualification.models import TokenScope

MEDIA_TYPE = "application/problem+json"


class PreconditionFailed(exceptions.APIException):
    """`If-Match` names another version of what would be changed."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "changed_meanwhile"


class ReadFirst(exceptions.APIException):
    """What would be shown is something that the person still judges: a page of the site asks before it is shown."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "judges_it"


def refusal_answer(exception: Exception, context: dict[str, Any]) -> Answer | None:
    """The answer to a refused call; None for a defect, which is a 500."""
    set_rollback()
    if isinstance(exception, UNAVAILABLE) or full_disk.is_full(exception):
        return _answer(503, "unavailable", _("Not available now."), "", headers={"Retry-After": "5"})
    if isinstance(exception, Http404 | errors.NotFound | errors.InviteClosed):
        return not_found()
    if isinstance(exception, errors.Refused):
        return _refused(exception, of_answer=TokenScope.WORK in getattr(context.get("view"), "scopes", ()))
    if isinstance(exception, exceptions.APIException):
        return _of_framework(exception)
    return None


def not_found() -> Answer:
    """What does not exist, and what this token may not see: the same bytes."""
    return _answer(404, "not_found", _("Not found"), _("It does not exist, or you may not see it."))


def _refused(refused: errors.Refused, *, of_answer: bool) -> Answer:
    """A service's refusal, as its page says it. `of_answer`: of an annotator's answer, not of a lead's change."""
    if isinstance(refused, errors.ConsentMissing):
        return _answer(403, "consent_missing", _("Consent is missing"), _("Accept the consent text in the browser."))
    if isinstance(refused, errors.SecondStepMissing):
        return _answer(403, "second_step_missing", _("A second step is missing"), _("Set it up in Your account."))
    row = row_of(refused)
    more: dict[str, Any] = {}
    title, detail = str(row.heading), _(refused.message) if refused.message else str(row.advice)
    if isinstance(refused, errors.PayloadInvalid):
        found = translated(refused)
        more["errors"] = [{"field": one.field, "code": one.code, "message": str(one.message)} for one in found]
        detail = " ".join(str(one.message) for one in found)
        title = title if of_answer else _("This is not possible as it was sent")
    return _answer(row.status, refused.reason, title, detail, **more)


def _of_framework(refused: exceptions.APIException) -> Answer:
    headers: dict[str, str] = {}
    more: dict[str, Any] = {}
    if authenticate := getattr(refused, "auth_header", None):
        headers["WWW-Authenticate"] = authenticate
    if (seconds := getattr(refused, "wait", None)) is not None:
        headers["Retry-After"] = str(int(seconds) + 1)
    code, detail = refused.default_code, str(refused.detail)
    if isinstance(refused, exceptions.ValidationError):
        more["errors"] = list(_fields(refused.detail))
        code, detail = "invalid", " ".join(f"{one['field']}: {one['message']}" for one in more["errors"])
    return _answer(refused.status_code, code, _title_of(refused), detail, headers=headers, **more)


def _title_of(refused: exceptions.APIException) -> str:
    return str(refused.default_detail).rstrip(".") if refused.default_detail else _("Refused")


def _fields(detail: Any, within: str = "") -> Any:
    """What is wrong with each field, by its name; "" for the call as a whole."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            path = "" if name == "non_field_errors" else str(name)
            yield from _fields(inner, ".".join(filter(None, (within, path))))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _fields(inner, within)
    else:
        yield {"field": within, "code": getattr(detail, "code", "invalid"), "message": str(detail)}


def _answer(
    code: int, kind: str, title: str, detail: str, *, headers: dict[str, str] | None = None, **more: Any
) -> Answer:
    body = {"type": kind, "title": title, "status": code, "detail": detail} | more
    return Answer(body, status=code, headers=headers, content_type=MEDIA_TYPE)
