"""What is said when the site is reached under an address that its settings don't know, mostly behind a proxy.

Nobody can sign in there: Django refuses every form. It is not the person's fault, so the page says what whoever runs
the site has to set, and so does the log.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from threading import Lock
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import validate_host
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure as of_earlier_sign_in

ORIGIN_FAILED = "Origin checking failed"
"""How Django's reason begins when a form comes from another address than the server takes for its own."""
ORIGIN = re.compile(r"https?://(?P<host>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
"""What is shown and logged of what was sent, and nothing else."""
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Via")
"""Headers that a proxy sends and a browser does not."""
MOST_SAID = 20
"""Addresses of which the log of a process speaks: anybody may send any."""
logger = logging.getLogger(__name__)
_said: set[str] = set()
_lock = Lock()


@dataclass(frozen=True)
class MissingSettings:
    """What an address lacks: settings as `NAME=value`, headers of the proxy, and the address to open instead or ""."""

    settings: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    instead: str = ""

    def __str__(self) -> str:
        said = [", ".join(self.settings)] if self.settings else []
        if self.headers:
            said.append(f"from the proxy the headers {', '.join(self.headers)}")
        if self.instead:
            said.append(f"or people have to open {self.instead}")
        return "; ".join(said)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form that Django refuses: sent from an unknown address, or left from an earlier sign-in."""
    origin = _unknown_origin(request, reason)
    if not origin:
        return of_earlier_sign_in(request, reason)
    wanted = _wanted(request, origin)
    _warn(origin, wanted)
    context = {"origin": origin, "wanted": wanted, "contact": settings.GOLDFINCH_CONTACT}
    return render(request, "errors/unknown_proxy.html", context, status=403)


def unknown_host(request: HttpRequest) -> str:
    """A sentence for a request to a host that the site does not serve; "" if that is no host at all."""
    found = ORIGIN.fullmatch(f"http://{request.META.get('HTTP_HOST', '')}")
    if found is None:
        return ""
    wanted = MissingSettings(settings=(f"ALLOWED_HOSTS={found['host']}",))
    _warn(found.group().removeprefix("http://"), wanted)
    said = _("This site is not set up for this address. Whoever runs it has to set %(settings)s.")
    return said % {"settings": wanted.settings[0]}


def _warn(address: str, wanted: MissingSettings) -> None:
    """Say in the log, once for each address, what has to be set."""
    with _lock:
        if address in _said or len(_said) >= MOST_SAID:
            return
        _said.add(address)
    logger.warning(
        "Nobody can sign in at %s, an address that the settings don't know. It needs %s. (docs/operators.md, Proxies)",
        address,
        wanted,
    )


def _unknown_origin(request: HttpRequest, reason: str) -> str:
    """The origin of a form that comes from the site itself, under an address that it does not know; "" if it does not.

    A page of another site, from which Django protects, is told by the browser (Sec-Fetch-Site). Older browsers don't
    say it: then a proxy must have left its mark, or only the scheme may differ.
    """
    origin, site = request.headers.get("Origin", ""), request.headers.get("Sec-Fetch-Site", "")
    if not ORIGIN.fullmatch(origin):
        return ""
    if reason == REASON_NO_CSRF_COOKIE:
        return origin if _loses_cookies(origin) else ""
    if not reason.startswith(ORIGIN_FAILED):
        return ""
    proxied = not _is_behind() and any(name in request.headers for name in FORWARDED)
    own = site == "same-origin" if site else proxied or urlsplit(origin).netloc == _host_of(request)
    return origin if own else ""


def _wanted(request: HttpRequest, origin: str) -> MissingSettings:
    if _loses_cookies(origin):
        return MissingSettings(settings=("HTTPS=",), instead=origin.replace("http:", "https:", 1))
    secure, host = origin.startswith("https:"), urlsplit(origin).netloc
    name = ORIGIN.fullmatch(origin)["host"]  # type: ignore[index]  # _unknown_origin has looked
    missing = (
        ("BEHIND_PROXY=1", secure and not _is_behind()),
        ("HTTPS=1", secure and not settings.HTTPS),
        (f"ALLOWED_HOSTS={name}", not validate_host(name, settings.ALLOWED_HOSTS)),
    )
    lacking = (
        ("X-Forwarded-Proto: https", secure and request.headers.get("X-Forwarded-Proto") != "https"),
        (f"Host: {host}", host != _host_of(request)),
    )
    needed, headers = ([line for line, lacks in lines if lacks] for lines in (missing, lacking))
    if not needed and not headers:
        needed = [f"CSRF_TRUSTED_ORIGINS={origin}"]
    return MissingSettings(tuple(needed), tuple(headers))


def _loses_cookies(origin: str) -> bool:
    """Whether browsers keep no cookie of the site there, as those are for HTTPS only."""
    return settings.HTTPS and origin.startswith("http:")


def _is_behind() -> bool:
    return settings.SECURE_PROXY_SSL_HEADER is not None


def _host_of(request: HttpRequest) -> str:
    """The host of the request; "" if the site does not serve it."""
    try:
        return request.get_host()
    except DisallowedHost:
        return ""
