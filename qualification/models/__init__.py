"""The tables of the qualification layer: who may join, who is qualified for which work, and courses for that."""

from qualification.models.courses import (
    ATTEMPT_MOVES,
    Attempt,
    AttemptAnswer,
    AttemptDraft,
    AttemptPurpose,
    AttemptState,
    CoursePicture,
    CourseVersion,
    Enrolment,
    ExtraTime,
    Outcome,
    Try,
    TutorialAnswer,
)
from qualification.models.granting import GRANT_MOVES, Grant, GrantOrigin, GrantState, Qualification
from qualification.models.joining import (
    Invite,
    InviteState,
    Mail,
    MailOutcome,
    Participant,
    SignIn,
)
from qualification.models.tokens import ApiCall, ApiToken, TokenScope
