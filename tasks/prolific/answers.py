"""What Prolific's answers say, as far as it is used; whatever else they have is not looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from annotation.errors import Refused
from annotation.i18n import _

LONGEST = 300
LONGEST_ID = 60


class ProlificFailed(Refused):
    """Prolific has not done what was asked, or has not said that it has."""

    reason = "prolific_failed"


class AnswerUnreadable(ProlificFailed):
    """The answer is not what the documentation says; what was asked may have been done."""

    reason = "answer_unreadable"

    def __init__(self) -> None:
        super().__init__(_("Prolific’s answer is not as its documentation says."))


@dataclass(frozen=True)
class StudySaid:
    """A study; `reward` in hundredths, `currency` "" if it does not say, `codes`: its completion codes."""

    name: str
    status: str
    reward: int
    currency: str
    address: str
    codes: tuple[str, ...]


@dataclass(frozen=True)
class SubmissionSaid:
    """A submission in a list; `code`: the completion code that was entered, "" if none."""

    submission_id: str
    participant_id: str
    status: str
    code: str
    started_at: datetime | None
    completed_at: datetime | None


@dataclass(frozen=True)
class SetUpBonuses:
    """Bonuses that are set up: by which id they are paid, and what they cost with fees, in hundredths."""

    bulk_id: str
    charged: Decimal


def _readable(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def checked(answer: Any) -> Any:
        try:
            return read(answer)
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
            raise AnswerUnreadable from None

    return checked


def study(answer: Any) -> StudySaid:
    """Of `GET /studies/{id}/`."""
    found: StudySaid = _readable(_study)(answer)
    return found


def _study(answer: Any) -> StudySaid:
    codes = tuple(_text(one["code"], 80) for one in answer.get("completion_codes") or () if one.get("code"))
    currency = answer.get("presentment_currency_code") or answer.get("currency_code") or ""
    return StudySaid(
        name=_text(answer["name"]),
        status=_text(answer["status"], 40),
        reward=_cents(answer["reward"]),
        currency=_text(currency, 3).upper(),
        address=_text(answer.get("external_study_url") or "", 2000),
        codes=codes,
    )


def submissions(answer: Any) -> list[SubmissionSaid]:
    """Of a page of `GET /submissions/`."""
    found: list[SubmissionSaid] = _readable(lambda page: [_submission(one) for one in page["results"]])(answer)
    return found


def _submission(answer: Any) -> SubmissionSaid:
    return SubmissionSaid(
        submission_id=_id(answer["id"]),
        participant_id=_id(answer["participant_id"]),
        status=_text(answer["status"], 40),
        code=_text(answer.get("study_code") or "", 80),
        started_at=_time(answer.get("started_at")),
        completed_at=_time(answer.get("completed_at")),
    )


def bonuses(answer: Any) -> list[int]:
    """Of `GET /submissions/{id}/`: the bonuses that were paid, in hundredths."""
    found: list[int] = _readable(lambda one: [_cents(each) for each in one.get("bonus_payments") or ()])(answer)
    return found


def set_up(answer: Any) -> SetUpBonuses:
    """Of `POST /submissions/bonus-payments/`."""
    found: SetUpBonuses = _readable(lambda one: SetUpBonuses(_text_id(one["id"]), _money(one["total_amount"])))(answer)
    return found


def group_name(answer: Any) -> str:
    """Of `GET /participant-groups/{id}/`."""
    found: str = _readable(lambda one: _text(one["name"]))(answer)
    return found


def members(answer: Any) -> list[str]:
    """Of `GET /participant-groups/{id}/participants/`."""
    found: list[str] = _readable(lambda one: [_id(each["participant_id"]) for each in one["results"]])(answer)
    return found


def _text(answer: Any, longest: int = LONGEST) -> str:
    if not isinstance(answer, str):
        raise TypeError(answer)
    return answer.replace("\0", "")[:longest]


def _text_id(answer: Any) -> str:
    found = _text(answer, 81)
    if not 0 < len(found) <= 80:
        raise ValueError(found)
    return found


def _id(answer: Any) -> str:
    """An id, whole: a shortened one would be somebody else's."""
    found = _text_id(answer)
    if len(found) > LONGEST_ID or not found.isascii() or not found.isalnum():
        raise ValueError(found)
    return found


def _money(answer: Any) -> Decimal:
    found = Decimal(str(answer))
    if not 0 <= found < 10**9:
        raise ValueError(found)
    return found.quantize(Decimal("0.01"))


def _cents(answer: Any) -> int:
    return int(_money(answer).to_integral_value())


def _time(answer: Any) -> datetime | None:
    if answer is None:
        return None
    found = datetime.fromisoformat(answer)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
