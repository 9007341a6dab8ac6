"""The OpenAPI schema: parameters that several views share, and what every view may answer besides."""

from __future__ import annotations

import inspect
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

PAGED = [
    OpenApiParameter("cursor", str, description="Where the page begins: `next` of the page before."),
    OpenApiParameter("limit", int, description="Rows of a page, 1 to 100; 50 if it is left out."),
]
OCTETS = {(200, "application/octet-stream"): OpenApiTypes.BINARY}
"""A file."""
KEY = OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description="Repeat a call safely.")
MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description="The `ETag` that was read.")
PROBLEM = {
    "type": "object",
    "description": "Why a call was refused (RFC 9457): `type` is a stable code, `detail` a sentence for people.",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "now": {
            "type": "object",
            "description": "Of a refused answer or draft: the `work`, the `step` and its `answer` as they are now, "
            "and in `replace` the version with which a second answer may replace that one, or null.",
        },
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "code", "message"],
                "properties": {name: {"type": "string"} for name in ("field", "code", "message")},
            },
        },
    },
}
REFUSALS = {
    "400": "A parameter or field is not possible; `errors` names it.",
    "401": "The token is missing, unknown, expired or revoked.",
    "403": "The token’s scope, or a missing consent or second step, does not allow it.",
    "404": "It does not exist, or the token’s person may not see it.",
    "405": "The address does not take this method.",
    "409": "The state of things does not allow it, or somebody else was first.",
    "429": "Too many calls in a minute; `Retry-After` says when to go on.",
    "503": "Not available for a moment; `Retry-After` says when to go on.",
}
CHANGED = {"412": "`If-Match` names another version than the present one."}
OF_CHANGES = {
    "413": "The body is larger than 2 MB.",
    "415": "The body is of another type than the address takes.",
    "422": "The content can’t be taken; `errors` says why.",
}


API = "/api/v1/"
GROUPS = {
    "agreement": "figures",
    "board": "figures",
    "guidelines": "work",
    "human-bound": "figures",
    "invitations": "people",
    "lobbies": "work",
    "messages": "work",
    "places": "queues",
    "predictions": "rounds",
    "setup": "projects",
    "uploads": "imports",
}
"""Parts of addresses that are listed with another one."""


class TokenScheme(OpenApiAuthenticationExtension):
    """How calls are authenticated."""

    target_class = "frontend.api.callers.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A bearer token, made in *Your account*."""
        return {"type": "http", "scheme": "bearer"}


class Schema(AutoSchema):
    """Adds the refusals that any call can meet, and the headers of changes."""

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """The operation as documented by its view, with these."""
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            said = REFUSALS | (OF_CHANGES if self.method != "GET" else {}) | (CHANGED if self.view.locked else {})
            for code, description in said.items():
                operation["responses"].setdefault(code, _problem(description))
        return operation

    def get_tags(self) -> list[str]:
        """What the address is about, by which the page that lists the API has its groups."""
        words = [each for each in self.path.removeprefix(API).split("/") if each]
        is_of_project = words[0] == "projects" and len(words) > len(("projects", "{slug}"))
        part = words[2] if is_of_project else words[0]
        return [GROUPS.get(part, part)]

    def get_summary(self) -> str:
        """What the method does: the first line of its docstring."""
        method = getattr(self.view, self.method.lower())
        return (inspect.getdoc(method) or "").splitlines()[0].rstrip(".")

    def get_description(self) -> str:
        """What the address stands for: the docstring of its view."""
        return inspect.getdoc(type(self.view)) or ""

    def get_override_parameters(self) -> list[Any]:
        """The headers that a change follows."""
        if self.method == "GET":
            return []
        return [*([KEY] if self.view.keyed else []), *([MATCH] if self.view.locked else [])]


def add_problem(result: dict[str, Any], **_about: Any) -> dict[str, Any]:
    """Describe refusals once, for all operations."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    return result


def _problem(description: str) -> dict[str, Any]:
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": description, "content": content}
