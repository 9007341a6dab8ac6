"""What the domain refuses; `frontend/errors.py` is the one table from these to status codes and templates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an answer: where, which rule, and a sentence for the person (already translated).

    `texts`, where a quote is not what stands there: what stands there, and what was sent.
    """

    field: str
    code: str
    message: str
    texts: tuple[str, str] | None = None


class Refused(Exception):
    """The request makes sense but can't be done; `reason` is a stable code, `message` a sentence for the person."""

    reason = "refused"

    def __init__(self, message: str = "", *, reason: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason or self.reason


class NotFound(Refused):
    """No such thing, or none for this person: the two look the same."""

    reason = "not_found"


class PayloadInvalid(Refused):
    """The answer is impossible on this text."""

    reason = "payload_invalid"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = problems


class KeyReused(Refused):
    """The same submission key came again with another body."""

    reason = "key_reused"


class StalePage(Refused):
    """The work has moved on since this page was shown."""

    reason = "stale_page"


class TakenOver(Refused):
    """The work was opened in another tab or on another device since this page was shown, and that one counts."""

    reason = "taken_over"


class StageLocked(Refused):
    """This stage is sealed and was answered before."""

    reason = "stage_locked"


class AlreadyClosed(Refused):
    """The assignment was skipped, returned or submitted before."""

    reason = "already_closed"


class PlaceTaken(AlreadyClosed):
    """Late work of somebody else took the place of the assignment, of which nothing was saved yet."""

    reason = "place_taken"


class TakenOut(AlreadyClosed):
    """A lead took the item out of the project while the assignment was at work."""

    reason = "taken_out"


class NotEligible(Refused):
    """This person may not do this work; said only about a person's own standing."""

    reason = "not_eligible"


class ConsentMissing(Refused):
    """The consent text has not been accepted in this project."""

    reason = "consent_missing"


class WrongMove(Refused):
    """The state machine has no such move, or someone was faster."""

    reason = "wrong_move"


class ReasonMissing(WrongMove):
    """A decision that is kept with its reason came without one, or with a whole essay."""

    reason = "reason_missing"


class ImportRefused(Refused):
    """The file as a whole can't be imported; refused lines are listed apart."""

    reason = "import_refused"


class ReleaseRefused(Refused):
    """The release can't be built as asked."""

    reason = "release_refused"


class ScoreRefused(Exception):
    """These files can't be scored: a sentence for the terminal, since no page scores files."""
