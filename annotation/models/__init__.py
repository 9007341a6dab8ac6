"""The tables of the record."""

from annotation.models.adjudication import Adjudication
from annotation.models.agreement import Agreement, AgreementTable
from annotation.models.blob import Blob
from annotation.models.case import Case, CaseKind, CaseState
from annotation.models.corpus import Document, GuidelineVersion, Item, ItemDocument, Project
from annotation.models.event import Event
from annotation.models.flag import Flag
from annotation.models.job import Job, JobLease
from annotation.models.message import Message, Thread
from annotation.models.people import Consent, Membership, Role, User
from annotation.models.record import RELEASED, Annotation, Draft, Purpose, Response
from annotation.models.release import Release
from annotation.models.search import ItemText, SearchText
from annotation.models.setup import ConsentText, IdKey, NewProject
from annotation.models.time import SpanKind, TimeAmendment, TimeSpan
from annotation.models.upload import LineRemark, Upload

__all__ = [
    "RELEASED", "Adjudication", "Agreement", "AgreementTable", "Annotation", "Blob", "Case", "CaseKind",
    "CaseState", "Consent", "ConsentText", "Document", "Draft", "Event", "Flag", "GuidelineVersion", "IdKey", "Item",
    "ItemDocument", "ItemText", "Job", "JobLease", "LineRemark", "Membership", "Message", "NewProject", "Project",
    "Purpose", "Release", "Response", "Role", "SearchText", "SpanKind", "Thread", "TimeAmendment", "TimeSpan", "Upload",
    "User",
]  # fmt: skip
