"""The domain's refusals; `frontend/errors.py` maps them to status codes and templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an answer: the field, the rule, and a sentence for the person.

    `message` is marked for translation (`annotation.i18n._` or lazily) and translated where it is shown. `texts`, for a
    quote that does not match: the text in the document, and the text that was sent. `values`: what its %(name)s stand
    for.
    """

    field: str
    code: str
    message: Any
    texts: tuple[str, str] | None = None
    values: Mapping[str, Any] | None = None


class Refused(Exception):
    """A valid request that can't be carried out: `reason` is a stable code, `message` a sentence for the person."""

    reason = "refused"

    def __init__(self, message: str = "", *, reason: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason or self.reason


class NotFound(Refused):
    """It does not exist, or this person may not see it: deliberately indistinguishable."""

    reason = "not_found"


class PayloadInvalid(Refused):
    """The answer fails the stage's schema or the protocol's check."""

    reason = "payload_invalid"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(" ".join(str(problem.message) for problem in problems))
        self.problems = problems


class KeyReused(Refused):
    """An idempotency key was used again with a different body."""

    reason = "key_reused"


class StalePage(Refused):
    """Optimistic lock failed: the work has moved on since this page was shown."""

    reason = "stale_page"


class TakenOver(Refused):
    """The work has since been opened in another tab or on another device, and only that page may write."""

    reason = "taken_over"


class StageLocked(Refused):
    """This stage is sealed and has been answered."""

    reason = "stage_locked"


class AlreadyClosed(Refused):
    """The assignment has already been skipped, returned or submitted."""

    reason = "already_closed"


class PlaceTaken(AlreadyClosed):
    """Somebody else's late work took the slot of this assignment, in which nothing had been saved."""

    reason = "place_taken"


class TakenOut(AlreadyClosed):
    """A lead withdrew the item while the assignment was open."""

    reason = "taken_out"


class MembershipEnded(TakenOut):
    """A lead ended the person's membership, or made them a lead, while the assignment was open."""

    reason = "membership_ended"


class NotEligible(Refused):
    """This person may not do this work; the reason is only ever about the person who asks."""

    reason = "not_eligible"


class NotQualified(NotEligible):
    """This person lacks a qualification that the work needs; what they hold they may finish."""

    reason = "not_qualified"


class ConsentMissing(Refused):
    """The consent text has not been accepted in this project."""

    reason = "consent_missing"


class SecondStepMissing(Refused):
    """Leads and admins need a second step at sign-in, and this person has set none up in time."""

    reason = "second_step_missing"


class WrongMove(Refused):
    """The state machine has no such transition, or somebody else's came first."""

    reason = "wrong_move"


class ReasonMissing(WrongMove):
    """A decision needs a reason, and it is missing or too long."""

    reason = "reason_missing"


class InviteClosed(Refused):
    """The link of an invitation does not exist, was used, revoked or has expired: deliberately indistinguishable."""

    reason = "invite_closed"


class AccountNameTaken(Refused):
    """Somebody has this user name, if only in other capitals."""

    reason = "account_name_taken"


class ParticipantKnown(Refused):
    """Another account has joined this project under this id of a recruitment site, or this account under another."""

    reason = "participant_known"


class ImportRefused(Refused):
    """The file as a whole can't be imported; refused lines are listed separately."""

    reason = "import_refused"


class UploadRefused(Refused):
    """A file, or a part of one, can't be taken in."""

    reason = "upload_refused"


class PartElsewhere(UploadRefused):
    """The part doesn't follow what has arrived, or another one is just being stored."""

    reason = "part_elsewhere"


class DiskFull(UploadRefused):
    """There is no room for it on the server's disk."""

    reason = "disk_full"


class ReleaseRefused(Refused):
    """The release can't be built as asked."""

    reason = "release_refused"


class ScoreRefused(Exception):
    """These files can't be scored: a sentence for the terminal."""
