"""The tables of tasks, and what boards and jobs keep."""

from tasks.models.board import BoardFigures, CountMark, WorkCount, WorkTime
from tasks.models.decisions import DecidedItem
from tasks.models.judging import MeetingSeat, MetricColumn, RoundMetrics
from tasks.models.measurements import Figures, Heartbeat, HumanFigures, ItemSimilarity, RoundFigures
from tasks.models.pairs import ChatMessage, Pause, Ticket
from tasks.models.prolific import Bonus, BonusPart, Study, StudyGroup, Submission
from tasks.models.webhooks import Delivery, DeliveryOutcome, DeliveryTry, Webhook, WebhookKind
from tasks.models.work import ADJUDICATE, ASSESS, NO_DATA, Assignment, Lease, Queue, Task
