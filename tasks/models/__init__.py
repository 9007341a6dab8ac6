"""The tables of tasks, and what boards and jobs keep."""

from tasks.models.board import BoardFigures, CountMark, WorkCount, WorkTime
from tasks.models.decisions import DecidedItem
from tasks.models.judging import MetricColumn, RoundMetrics
from tasks.models.measurements import Figures, Heartbeat, HumanFigures, Likeness, RoundFigures
from tasks.models.meetings import MeetingSeat
from tasks.models.pairs import ChatMessage, Pause, Ticket
from tasks.models.prolific import Bonus, BonusPart, Study, StudyGroup, Submission
from tasks.models.webhooks import Delivery, DeliveryOutcome, DeliveryTry, Webhook, WebhookKind
from tasks.models.work import ADJUDICATE, ASSESS, NO_DATA, Assignment, Lease, Queue, Task

__all__ = [
    "ADJUDICATE", "ASSESS", "NO_DATA", "Assignment", "BoardFigures", "Bonus", "BonusPart", "ChatMessage", "CountMark",
    "DecidedItem", "Delivery", "DeliveryOutcome", "DeliveryTry", "Figures", "Heartbeat", "HumanFigures", "Lease",
    "Likeness", "MeetingSeat", "MetricColumn", "Pause", "Queue", "RoundFigures", "RoundMetrics", "Study",
    "StudyGroup", "Submission", "Task", "Ticket", "Webhook", "WebhookKind", "WorkCount", "WorkTime",
]  # fmt: skip
