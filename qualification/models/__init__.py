"""The tables of the qualification layer: who may join, and who is qualified for which work."""

from qualification.models.granting import GRANT_MOVES, Grant, GrantOrigin, GrantState, Qualification
from qualification.models.joining import Invite, InviteState, Mail, MailOutcome, Participant, SignIn
from qualification.models.tries import Try

__all__ = [
    "GRANT_MOVES",
    "Grant",
    "GrantOrigin",
    "GrantState",
    "Invite",
    "InviteState",
    "Mail",
    "MailOutcome",
    "Participant",
    "Qualification",
    "SignIn",
    "Try",
]
