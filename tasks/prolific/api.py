"""The requests to Prolific's API that a project makes, and what their answers say.

Each is one call (annotation.outgoing.calling); none is repeated here. After a request that changes something, three
ends are told apart: an answer, a refusal (`TurnedAway`: nothing was done), and no answer (`NoAnswer`), after which it
may have been done unless `sent` is False.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.outgoing.addresses import CallFailed, CallRefused
from annotation.outgoing.calling import OutgoingReply, call
from tasks.prolific import answers
from tasks.prolific.answers import AnswerUnreadable, ProlificFailed, SetUpBonuses, StudySaid, SubmissionSaid

DOCUMENTED_ON = date(2026, 10, 4)
"""Of docs.prolific.com, “Prolific API for Data Collectors” 1.0.0, as it stood then, which this module follows."""
PER_PAGE = 100
MOST_PAGES = 200
LONGEST_WORDS = 200


class TurnedAway(ProlificFailed):
    """Prolific has answered that it does not do it: `status` of HTTP, and `message`, its words as far as they fit."""

    reason = "turned_away"

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words or f"HTTP {status}")
        self.status = status

    @property
    def is_too_many(self) -> bool:
        """Whether it asks to be asked again later."""
        return self.status == 429


class NoAnswer(ProlificFailed):
    """There is no answer that can be used; `sent`: whether the request may have arrived."""

    reason = "no_answer"

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent


@dataclass(frozen=True)
class ProlificApi:
    """What one token may do."""

    token: str

    def study(self, study_id: str) -> StudySaid:
        """What the study is like now."""
        return answers.study(self._asked("GET", f"studies/{_part(study_id)}/"))

    def submissions(self, study_id: str) -> list[SubmissionSaid]:
        """All submissions of the study, read page by page."""
        return [one for page in self._pages(study_id) for one in page]

    def _pages(self, study_id: str) -> Iterator[list[SubmissionSaid]]:
        for number in range(1, MOST_PAGES + 1):
            query = urlencode({"study": study_id, "page": number, "page_size": PER_PAGE, "ordering": "started_at"})
            try:
                page = answers.submissions(self._asked("GET", f"submissions/?{query}"))
            except TurnedAway as turned_away:
                # It is not said whether a page after the last one is empty or not found.
                if number > 1 and turned_away.status == 404:
                    return
                raise
            yield page
            if len(page) < PER_PAGE:
                return

    def bonuses_of(self, submission_id: str) -> list[int]:
        """The bonuses that were paid on a submission, in hundredths."""
        return answers.bonuses(self._asked("GET", f"submissions/{_part(submission_id)}/"))

    def approve(self, submission_ids: Sequence[str]) -> None:
        """Ask for these to be approved, which happens some time later; asking twice approves once."""
        self._told("POST", "submissions/bulk-approve/", {"submission_ids": list(submission_ids)})

    def set_up_bonuses(self, study_id: str, cents: Mapping[str, int]) -> SetUpBonuses:
        """Prepare bonuses, by submission, in hundredths of the study's currency. Nothing is paid by this."""
        lines = "\n".join(f"{one},{Decimal(amount) / 100:.2f}" for one, amount in cents.items())
        asked = {"study_id": study_id, "csv_bonuses": lines}
        return answers.set_up(self._asked("POST", "submissions/bonus-payments/", asked))

    def pay_bonuses(self, bulk_id: str) -> None:
        """Pay what was set up. Prolific warns that it pays again each time it is asked: ask once."""
        self._told("POST", f"bulk-bonus-payments/{_part(bulk_id)}/pay/", {})

    def group_name(self, group_id: str) -> str:
        """What a participant group is called."""
        return answers.group_name(self._asked("GET", f"participant-groups/{_part(group_id)}/"))

    def group_members(self, group_id: str) -> list[str]:
        """The ids of the participants in a group."""
        return answers.members(self._asked("GET", f"participant-groups/{_part(group_id)}/participants/"))

    def add_to_group(self, group_id: str, participants: Sequence[str]) -> None:
        """Put them into a group; who is in it already stays."""
        self._told("POST", *_of_group(group_id, participants))

    def remove_from_group(self, group_id: str, participants: Sequence[str]) -> None:
        """Take them out of a group."""
        self._told("DELETE", *_of_group(group_id, participants))

    def _asked(self, method: str, path: str, asked: Mapping[str, Any] | None = None) -> Any:
        """What the answer says, read as JSON."""
        return _read(self._told(method, path, asked))

    def _told(self, method: str, path: str, asked: Mapping[str, Any] | None = None) -> bytes:
        """The body of an answer that says that it is done."""
        headers = {"Authorization": f"Token {self.token}", "Accept": "application/json"}
        body = b""
        if asked is not None:
            headers["Content-Type"], body = "application/json", json.dumps(asked).encode()
        try:
            reply = call(method, f"{base()}/api/v1/{path}", body=body, headers=headers)
        except CallRefused as refused:
            raise NoAnswer(refused.message, sent=False) from None
        except CallFailed as failed:
            raise NoAnswer(_no_answer(failed), sent=failed.sent) from None
        return _accepted(reply)


def base() -> str:
    """Where the API is; "" if the site does not use Prolific."""
    return str(settings.GOLDFINCH_PROLIFIC)


def _of_group(group_id: str, participants: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
    return f"participant-groups/{_part(group_id)}/participants/", {"participant_ids": list(participants)}


def _part(text: str) -> str:
    return quote(text, safe="")


def _no_answer(failed: CallFailed) -> str:
    if failed.reason == "time":
        return _("Prolific has not answered in time.")
    return _("Prolific’s answer broke off.") if failed.sent else _("Prolific can’t be reached.")


def _accepted(reply: OutgoingReply) -> bytes:
    """TurnedAway for an answer that says so; NoAnswer for an error of the service, which may come after the deed."""
    if 400 <= reply.status < 500 and reply.status != 408:
        raise TurnedAway(reply.status, _words_of(reply.body))
    if not reply.is_good:
        raise NoAnswer(_("Prolific has trouble (HTTP %(status)s).") % {"status": reply.status}, sent=True)
    return reply.body


def _read(body: bytes) -> Any:
    try:
        return json.loads(body, parse_float=Decimal)
    except (ValueError, InvalidOperation, RecursionError):
        raise AnswerUnreadable from None


def _words_of(body: bytes) -> str:
    """What an error says, in Prolific's form: `{"error": {"title": ..., "detail": ...}}`; "" if it says nothing."""
    try:
        error = json.loads(body)["error"]
        said = [error.get("title"), error.get("detail")]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""
    words = ": ".join(str(part) if isinstance(part, str) else json.dumps(part) for part in said if part)
    return "".join(char for char in words if char.isprintable())[:LONGEST_WORDS]
