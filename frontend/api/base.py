"""What all views of the API have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpRequest
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response as Answer
from rest_framework.views import APIView

from annotation import events
from annotation.errors import NotFound
from annotation.models import Project, User
from frontend import access
from frontend.api import idempotency
from frontend.api.etags import etag_of
from frontend.api.problems import ReadFirst
from frontend.middleware import before_looking
from qualification.models import ApiToken, TokenScope

BUILD = events.API
"""What events say in place of the build of the pages that somebody used."""


class ApiView(APIView):
    """A view that is called with a token of one of `scopes`.

    `shows_answers`: it tells what others answered to many items, as every address of one item may, so that whoever
    still judges that is asked in the browser first.
    `of_any_project`: its address names no project, and it keeps to that of the token itself.
    `keyed`: its changes follow `Idempotency-Key`; others can be repeated without one, or have a key in their body.
    `locked`: they follow `If-Match`.
    `replays_first`: a call that is repeated with its key is answered as before, whatever its address names by now, if
    the person still has the right to it (`check_right`).
    """

    scopes: ClassVar[frozenset[str]] = frozenset({TokenScope.READ, TokenScope.LEAD})
    shows_answers: ClassVar[bool] = False
    of_any_project: ClassVar[bool] = False
    keyed: ClassVar[bool] = True
    locked: ClassVar[bool] = False
    replays_first: ClassVar[bool] = False

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Answer in the caller's language; what happens is recorded as done by the API."""
        language = translation.get_language_from_request(request)
        with translation.override(language), events.coming_from(session=_pseudonym(request), ui_build=BUILD):
            response = super().dispatch(request, *args, **kwargs)
            response["Content-Language"] = language
            return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check token, scope and limit; then the token's project and what the person judges."""
        super().initial(request, *args, **kwargs)
        token = request.auth
        if isinstance(token, ApiToken) and token.project is not None and not self._is_in(token.project, **kwargs):
            raise NotFound
        if (self.shows_answers or before_looking.OF_ITEM in kwargs) and before_looking.looks_before(
            request.user, kwargs
        ):
            raise ReadFirst(_("You still judge answers of this project. Open it in the browser, which says more."))

    def _is_in(self, project: Project, *, slug: str = "", **_others: Any) -> bool:
        """Whether the address is one of that project."""
        return slug == project.slug or (not slug and self.of_any_project)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Tag what was read, and let nobody keep it."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final["Cache-Control"] = "no-store"
        if isinstance(final, Answer) and request.method == "GET" and final.status_code == 200:
            final["ETag"] = etag_of(final.data)
        return final

    def person(self) -> User:
        """Whose token it is."""
        user: User = self.request.user
        return user

    def named(self, finder: Callable[..., Any] | None) -> list[Any]:
        """What `finder`, if there is one, finds by all parts of the address; NotFound if the person may not see it."""
        return [finder(self.person(), *self.kwargs.values())] if finder else []

    def once(self, call: Callable[[], Answer]) -> Answer:
        """Do something in one transaction, once for each `Idempotency-Key` where the view follows it."""
        return idempotency.once(self.request, call, check_right=self.check_right) if self.keyed else call()

    def check_right(self) -> None:
        """Raise if the person may not be told again what a call with its key was answered.

        Nothing is to be asked where the address is looked up, with the right to it, before each call.
        """


class LeadView(ApiView):
    """A view in a project that the person leads, which can change it."""

    def named(self, finder: Callable[..., Any] | None) -> list[Any]:
        """The same; the project itself if nothing is to be found in it."""
        return super().named(finder or access.led_project)


def _pseudonym(request: HttpRequest) -> str:
    """A one-way hash of the token, as of a session for whoever works in the browser."""
    sent = request.headers.get("Authorization", "")
    return salted_hmac("goldfinch.token", sent, algorithm="sha256").hexdigest()[:16] if sent else ""
