"""Every table that points at a person: what of it is in their data, and what becomes of it when they are erased.

A test walks all tables and asks that each column that points at a person is here.
"""

from __future__ import annotations

from dataclasses import dataclass

STAYS, GOES, WITHOUT_IDENTITY, WITHOUT_TEXT = "stays", "goes", "without identity", "without text"
"""At erasure: kept under the account's number, whose name is gone; deleted; kept without what says who it is, or
without what was written.
"""

OTHERS = "says what the person did as a lead, about others; the history of the project has it"


@dataclass(frozen=True)
class OwnTable:
    """What of the rows of a person is in their data: these columns, or a reason why nothing is. `at_erasure`: above.

    No column tells what others did or what is hidden from the person at work, and none is a number of a row.
    """

    columns: tuple[str, ...] = ()
    left_out: str = ""
    at_erasure: str = STAYS


ANNOTATION = "annotation__uuid"
OWN_TABLES: dict[str, OwnTable] = {
    # How somebody stands in a project, and what they said there.
    "annotation.Membership.user": OwnTable(("project__slug", "role", "since", "ended_at")),
    "annotation.Consent.user": OwnTable(("project__slug", "text_sha256", "at")),
    "annotation.Thread.person": OwnTable(("project__slug", "seen_by_person")),
    "annotation.Message.author": OwnTable(("thread__project__slug", "at", "text"), at_erasure=WITHOUT_TEXT),
    "tasks.ChatMessage.author": OwnTable((ANNOTATION, "seat", "at", "text")),
    # Work.
    "annotation.Annotation.author": OwnTable(("uuid", "item__project__slug", "activity", "opened_at", "completed_at")),
    "annotation.Response.author": OwnTable(
        (ANNOTATION, "stage", "turn", "revision", "seat", "payload", "seconds", "created_at")
    ),
    "annotation.Draft.author": OwnTable((ANNOTATION, "stage", "turn", "saved_at"), at_erasure=GOES),
    "annotation.Flag.author": OwnTable(("item__project__slug", "activity", "stage", "reason", "text", "at")),
    "annotation.Case.author": OwnTable((ANNOTATION, "kind", "reason", "text", "at")),
    "annotation.Case.about": OwnTable(left_out="what leads have to decide about the person, as long as they do"),
    "annotation.Adjudication.by": OwnTable((ANNOTATION, "activity", "reason", "at")),
    "tasks.Lease.annotator": OwnTable(("project__slug", "activity", "opened_at", "closed_at")),
    "tasks.Assignment.annotator": OwnTable(("uuid", ANNOTATION, "seat", "claimed_at", "closed_at")),
    "tasks.Ticket.annotator": OwnTable(("project__slug", "activity", "entered_at", "ended_at")),
    # Judging rounds and their meetings; first marks are responses.
    "annotation.Rater.person": OwnTable(("round__project__slug", "round__title", "number", "named_at", "locked_at")),
    "annotation.Argument.author": OwnTable(("exhibit__round__title", "at", "text")),
    "annotation.Proposal.by": OwnTable(("exhibit__round__title", "at", "mark", "reason")),
    "annotation.AgendaStep.by": OwnTable(("exhibit__round__title", "at", "kind")),
    "annotation.Removal.by": OwnTable(left_out=OTHERS),
    "annotation.Recusal.person": OwnTable(("round__project__slug", "round__title", "item__external_id", "at")),
    "annotation.Defect.by": OwnTable(("exhibit__round__project__slug", "exhibit__round__title", "at", "why")),
    "annotation.PredictionSet.added_by": OwnTable(("project__slug", "system", "format", "split", "sha256", "added_at")),
    "annotation.JudgingRound.made_by": OwnTable(("project__slug", "title", "made_at")),
    "annotation.JudgingRound.chair": OwnTable(("project__slug", "title")),
    "tasks.MetricColumn.by": OwnTable(("round__title", "name", "at")),
    "tasks.MeetingSeat.person": OwnTable(("round__title", "seen_at", "left_at")),
    "tasks.WorkCount.person": OwnTable(left_out="a sum of rows that are here"),
    "tasks.WorkTime.person": OwnTable(left_out="a sum of rows that are here"),
    # Time and pay.
    "annotation.TimeSpan.annotator": OwnTable(
        ("project__slug", ANNOTATION, "meeting__title", "stage", "kind", "begun_at", "seconds")
    ),
    "annotation.TimeAmendment.annotator": OwnTable(("project__slug", "day", "minutes", "note", "at")),
    "annotation.Payment.annotator": OwnTable(
        ("project__slug", "begins_at", "ends_at", "seconds", "rate", "amount", "currency", "paid_on", "note", "at")
    ),
    "annotation.Payment.by": OwnTable(left_out=OTHERS),
    "tasks.Submission.person": OwnTable(
        ("study__project__slug", "submission_id", "participant_id", "status", "started_at", "completed_at"),
        at_erasure=GOES,
    ),
    "tasks.BonusPart.person": OwnTable(
        ("bonus__study__project__slug", "bonus__at", "submission_id", "cents", "bonus__study__currency"),
        at_erasure=WITHOUT_IDENTITY,
    ),
    "tasks.Bonus.by": OwnTable(left_out=OTHERS),
    "tasks.Study.by": OwnTable(left_out=OTHERS),
    "tasks.StudyGroup.by": OwnTable(left_out=OTHERS),
    # Courses and exams; `own_data.COURSE_TABLES` has those that are reached through these.
    "qualification.Enrolment.user": OwnTable(
        ("course__qualification__project__slug", "course__qualification__key", "course__version", "begun_at", "read_at")
    ),
    "qualification.Attempt.user": OwnTable(
        (
            "uuid",
            "qualification__project__slug",
            "qualification__key",
            "course__version",
            "purpose",
            "n",
            "state",
            "outcome",
            "issued_at",
            "ends_at",
            "extended_at",
            "finished_at",
            "voided_at",
            "voided_why",
        )
    ),
    "qualification.ExtraTime.user": OwnTable(
        ("qualification__project__slug", "qualification__key", "minutes", "reason", "at")
    ),
    "qualification.ExtraTime.by": OwnTable(left_out=OTHERS),
    "qualification.Grant.user": OwnTable(
        (
            "qualification__project__slug",
            "qualification__key",
            "state",
            "origin",
            "reason",
            "at",
            "decided_at",
            "decided_why",
        )
    ),
    "qualification.Grant.by": OwnTable(left_out=OTHERS),
    "qualification.Grant.decided_by": OwnTable(left_out=OTHERS),
    "qualification.Qualification.by": OwnTable(left_out=OTHERS),
    # The account.
    "qualification.SignIn.user": OwnTable(("address", "browser", "at"), at_erasure=GOES),
    "qualification.ApiToken.user": OwnTable(
        ("name", "scope", "project__slug", "made_at", "expires_at", "last_used_at", "revoked_at"), at_erasure=GOES
    ),
    "qualification.Participant.user": OwnTable(
        ("project__slug", "external_id", "parameters", "at"), at_erasure=WITHOUT_IDENTITY
    ),
    "qualification.Invite.used_by": OwnTable(
        ("project__slug", "role", "name", "email", "used_at"), at_erasure=WITHOUT_IDENTITY
    ),
    "qualification.Invite.by": OwnTable(left_out=OTHERS),
    "qualification.Mail.user": OwnTable(("outcome", "at"), at_erasure=GOES),
    "account.EmailAddress.user": OwnTable(("email", "verified"), at_erasure=GOES),
    "mfa.Authenticator.user": OwnTable(("type", "created_at", "last_used_at"), at_erasure=GOES),
    "annotation.User_groups.user": OwnTable(left_out="not used"),
    "annotation.User_user_permissions.user": OwnTable(left_out="not used"),
    # What leads make and decide.
    "annotation.GuidelineVersion.by": OwnTable(left_out=OTHERS),
    "annotation.ConsentText.by": OwnTable(left_out=OTHERS),
    "annotation.Release.by": OwnTable(left_out=OTHERS),
    "annotation.Upload.by": OwnTable(left_out=OTHERS),
    "tasks.Webhook.by": OwnTable(left_out=OTHERS),
    "annotation.AllowedHost.by": OwnTable(left_out="says what the person did as an admin, about the site"),
    "annotation.NewProject.by": OwnTable(left_out="a project that is being set up"),
}
