"""The tables of the record."""

from annotation.models.agreement import Agreement, AgreementTable
from annotation.models.case import Adjudication, Case, CaseKind, CaseState, Flag
from annotation.models.corpus import (
    Blob,
    Document,
    GuidelineVersion,
    Item,
    ItemDocument,
    ItemText,
    Project,
    SearchText,
    items_in_work,
    under_roots,
)
from annotation.models.job import Job, JobLease, LineRemark, Upload
from annotation.models.judging import (
    Defect,
    Exhibit,
    ExhibitUse,
    JudgingRound,
    Prediction,
    PredictionSet,
    Rater,
    Recusal,
    RoundState,
)
from annotation.models.meeting import AgendaStep, Argument, Confirmation, Consensus, MeetingMark, Proposal, Removal
from annotation.models.people import Consent, Membership, Message, Role, Thread, User
from annotation.models.record import ASIDE, RELEASED, Annotation, Draft, Event, Purpose, Response
from annotation.models.release import Release
from annotation.models.setup import AllowedHost, ConsentText, IdKey, NewProject
from annotation.models.time import Payment, SpanKind, TimeAmendment, TimeSpan

__all__ = [
    "ASIDE", "RELEASED", "Adjudication", "AgendaStep", "Agreement", "AgreementTable", "AllowedHost", "Annotation",
    "Argument", "Blob", "Case", "CaseKind", "CaseState", "Confirmation", "Consensus", "Consent", "ConsentText",
    "Defect", "Document", "Draft", "Event", "Exhibit", "ExhibitUse", "Flag", "GuidelineVersion", "IdKey", "Item",
    "ItemDocument", "ItemText", "Job", "JobLease", "JudgingRound", "LineRemark", "MeetingMark", "Membership", "Message",
    "NewProject", "Payment", "Prediction", "PredictionSet", "Project", "Proposal", "Purpose", "Rater", "Recusal",
    "Release", "Removal", "Response", "Role", "RoundState", "SearchText", "SpanKind", "Thread", "TimeAmendment",
    "TimeSpan", "Upload", "User", "items_in_work", "under_roots",
]  # fmt: skip
