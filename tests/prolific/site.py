"""A server that answers as Prolific's API is documented to answer, and writes down what it was asked.

It can fail as services do: refuse, be in trouble, or do what it was asked and cut the connection before the answer.
"""

from __future__ import annotations

import json
import re
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "a-token-of-a-researcher"
STUDY = "60aca280709ee40ec37d4885"
WORKSPACE_GROUP = "5e9b9c9b0f9c9a0001b0b1f4"
FEES = Decimal("1.3333")


@dataclass
class Failure:
    """How a request fails: with a status, or (None) by a connection that is cut, `done` or not before."""

    status: int | None = None
    done: bool = True


def by_number(n: int) -> str:
    """An id as Prolific's are: 24 hexadecimal digits."""
    return f"{n:024x}"


@dataclass
class Site:
    """What is on Prolific: one study with its submissions, bonuses that were set up and paid, and a group.

    `paid`: by submission, the cents of each bonus that was paid. `fails`: for requests whose method and path match, how
    the next ones fail, in order. `slow_to_pay`: bonuses are listed only after `pay_out`.
    """

    study: dict[str, Any] = field(
        default_factory=lambda: {
            "id": STUDY,
            "name": "Questions about lighthouses",
            "status": "ACTIVE",
            "reward": 200,
            "presentment_currency_code": "GBP",
            "external_study_url": "https://example.org/projects/lights/join/?PROLIFIC_PID={{%PROLIFIC_PID%}}",
            "completion_codes": [{"code": "C1LIGHTS", "code_type": "COMPLETED", "actions": []}],
        }
    )
    submissions: list[dict[str, Any]] = field(default_factory=list)
    bulks: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    paid: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    waiting: list[str] = field(default_factory=list)
    slow_to_pay: bool = False
    group: set[str] = field(default_factory=set)
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    fails: list[tuple[str, Failure]] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def comes(self, n: int, status: str = "AWAITING REVIEW") -> tuple[str, str]:
        """A participant takes part; returns their id and that of the submission."""
        participant, submission = by_number(n), by_number(10_000 + n)
        self.submissions.append(
            {
                "id": submission,
                "participant_id": participant,
                "status": status,
                "started_at": f"2026-11-20T09:{n % 60:02}:00Z",
                "completed_at": None if status == "ACTIVE" else "2026-11-20T10:00:00Z",
                "has_siblings": False,
                "study_code": "C1LIGHTS",
            }
        )
        return participant, submission

    def fail(self, what: str, *failures: Failure) -> None:
        """The next requests whose `METHOD path` matches this pattern fail so."""
        self.fails += [(what, one) for one in failures]

    def times(self, what: str) -> int:
        """How often something was asked whose `METHOD path` matches."""
        return sum(bool(re.search(what, f"{method} {path}")) for method, path, _body in self.asked)

    def pay_out(self) -> None:
        """What was told to be paid and is under way is paid now."""
        for bulk in self.waiting:
            for submission, cents in self.bulks[bulk]:
                self.paid[submission].append(cents)
        self.waiting.clear()

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        """Do what is asked; returns status and body."""
        for pattern, do in self._doors():
            if found := re.fullmatch(pattern, f"{method} {path}"):
                return do(*found.groups(), query=query, body=body)
        return error(404, "Not found")

    def _doors(self) -> list[tuple[str, Callable[..., tuple[int, Any]]]]:
        api = "/api/v1"
        return [
            (f"GET {api}/studies/(\\w+)/", self._study),
            (f"GET {api}/submissions/", self._list),
            (f"GET {api}/submissions/(\\w+)/", self._one),
            (f"POST {api}/submissions/bulk-approve/", self._approve),
            (f"POST {api}/submissions/bonus-payments/", self._set_up),
            (f"POST {api}/bulk-bonus-payments/(\\w+)/pay/", self._pay),
            (f"GET {api}/participant-groups/(\\w+)/", self._group),
            (f"GET {api}/participant-groups/(\\w+)/participants/", self._members),
            (f"POST {api}/participant-groups/(\\w+)/participants/", self._add),
            (f"DELETE {api}/participant-groups/(\\w+)/participants/", self._remove),
        ]

    def _study(self, study: str, **_asked: Any) -> tuple[int, Any]:
        return (200, self.study) if study == self.study["id"] else error(404, "Not found")

    def _list(self, *, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        if query["study"] != [self.study["id"]]:
            return error(404, "Not found")
        size, page = int(query["page_size"][0]), int(query["page"][0])
        rows = self.submissions[size * (page - 1) : size * page]
        return (200, {"results": rows}) if rows or page == 1 else error(404, "Not found")

    def _find(self, submission: str) -> dict[str, Any] | None:
        return next((one for one in self.submissions if one["id"] == submission), None)

    def _one(self, submission: str, **_asked: Any) -> tuple[int, Any]:
        row = self._find(submission)
        if row is None:
            return error(404, "Not found")
        said = {"id": row["id"], "participant": row["participant_id"], "study_id": self.study["id"]}
        return 200, said | {"status": row["status"], "bonus_payments": self.paid.get(submission, [])}

    def _approve(self, *, query: Any, body: Any) -> tuple[int, Any]:
        rows = [self._find(one) for one in body["submission_ids"]]
        if None in rows:
            return error(400, "Bad request", "Unknown submission")
        for row in rows:
            if row is not None and row["status"] == "AWAITING REVIEW":
                row["status"] = "APPROVED"
        return 200, "The request to bulk approve has been made successfully."

    def _set_up(self, *, query: Any, body: Any) -> tuple[int, Any]:
        lines = [line.split(",") for line in body["csv_bonuses"].splitlines()]
        if unknown := [one for one, _amount in lines if self._find(one) is None]:
            return error(400, "Bad request", f"Not in the study: {', '.join(unknown)}")
        bulk = by_number(900_000 + len(self.bulks))
        self.bulks[bulk] = [(one, int(Decimal(amount) * 100)) for one, amount in lines]
        amount = sum(cents for _one, cents in self.bulks[bulk])
        total = float((amount * FEES).quantize(Decimal("0.01")))
        return 201, {"id": bulk, "study": self.study["id"], "amount": amount, "total_amount": total}

    def _pay(self, bulk: str, **_asked: Any) -> tuple[int, Any]:
        if bulk not in self.bulks:
            return error(404, "Not found")
        self.waiting.append(bulk)
        if not self.slow_to_pay:
            self.pay_out()
        return 202, f"Bulk bonus payment with ID {bulk} is being processed asynchronously."

    def _group(self, group: str, **_asked: Any) -> tuple[int, Any]:
        known = group == WORKSPACE_GROUP
        return (200, {"id": group, "name": "Good readers"}) if known else error(404, "Not found")

    def _members(self, group: str, **_asked: Any) -> tuple[int, Any]:
        return 200, {"results": [{"participant_id": one} for one in sorted(self.group)]}

    def _add(self, group: str, *, query: Any, body: Any) -> tuple[int, Any]:
        self.group |= set(body["participant_ids"])
        return self._members(group)

    def _remove(self, group: str, *, query: Any, body: Any) -> tuple[int, Any]:
        self.group -= set(body["participant_ids"])
        return self._members(group)


def error(status: int, title: str, detail: Any = "") -> tuple[int, Any]:
    """An error in Prolific's form."""
    return status, {"error": {"status": status, "error_code": 1, "title": title, "detail": detail}}


class ProlificServer(ThreadingHTTPServer):
    """Serves a site at a free port of this machine, from `with` on."""

    daemon_threads = True

    def __init__(self) -> None:
        self.site = Site()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def host(self) -> str:
        """As the list of allowed hosts names it."""
        return f"localhost:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a client that was killed is no news."""

    def __enter__(self) -> ProlificServer:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *ended: object) -> None:
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    """Reads a request, and lets the site answer or fail."""

    protocol_version = "HTTP/1.1"
    server: ProlificServer

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length)
        body = json.loads(text) if text else None
        site = self.server.site
        with site.lock:
            site.asked.append((self.command, place.path, body))
            failure = self._failure(f"{self.command} {place.path}")
            if failure is None or failure.done:
                status, said = self._answer(place.path, parse_qs(place.query), body)
        if failure is not None and failure.status is None:
            self.close_connection = True
            return
        if failure is not None:
            status, said = error(failure.status or 500, "It failed")
        self._send(status, said)

    def do_POST(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.do_GET()

    def _failure(self, what: str) -> Failure | None:
        fails = self.server.site.fails
        for place, (pattern, failure) in enumerate(fails):
            if re.search(pattern, what):
                del fails[place]
                return failure
        return None

    def _answer(self, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        if self.headers.get("Authorization") != f"Token {TOKEN}":
            return error(401, "Unauthorized")
        return self.server.site.answer(self.command, path, query, body)

    def _send(self, status: int, said: Any) -> None:
        text = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""
