"""The pay of a project: what everybody is owed, and a lead's word of what was paid."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import clock
from annotation.models import Payment, Project
from frontend import access
from frontend.api.base import LeadView
from frontend.api.sent import checked_body, checked_form, checked_query
from frontend.api.serializers.leads import people as told
from frontend.leads.pay import PaidForm, pay_table, period_of, seen_seconds
from tasks.people import payments
from tasks.people.earnings import Period


class PayView(LeadView):
    """What people did in a period, what it brings, and what they are owed. The site itself pays nothing."""

    @extend_schema(operation_id="read_pay", parameters=[told.PeriodQuerySerializer], responses=told.PayTableSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        """Read the table."""
        project = access.led_project(self.person(), slug)
        asked = {name: str(day) for name, day in checked_query(request, told.PeriodQuerySerializer).items()}
        period = period_of(project, asked, today=timezone.localdate(clock.now()))
        return Answer(told.PayTableSerializer(pay_table(project, period)).data)

    @extend_schema(operation_id="mark_paid", request=told.MarkPaidSerializer, responses=told.PaymentsSerializer)
    def post(self, request: Request, slug: str) -> Answer:
        """Mark as paid what the table said is owed; less by now is refused, and nothing is marked."""
        project, sent = access.led_project(self.person(), slug), checked_body(request, told.MarkPaidSerializer)
        seen, form = _seen(project, sent["people"]), _form(sent)
        period = Period(sent.get("since"), sent["until"])

        def mark() -> Answer:
            words = form.words()
            return _told(
                payments.mark_paid(project, seen, period=period, words=words, by=self.person(), now=clock.now())
            )

        return self.once(mark)


class PayUndoView(LeadView):
    """What was marked as paid and is not."""

    @extend_schema(operation_id="undo_payment", request=told.UndoPaySerializer, responses=told.PaymentsSerializer)
    def post(self, request: Request, slug: str) -> Answer:
        """Undo a payment, for one person or for all: it is owed again."""
        project, sent = access.led_project(self.person(), slug), checked_body(request, told.UndoPaySerializer)
        code, key = sent.get("person", ""), sent["settlement"]
        person = access.led_person(self.person(), slug, code)[1] if code else None

        def undo() -> Answer:
            return _told(payments.undo_payments(project, key, person=person, by=self.person(), now=clock.now()))

        return self.once(undo)


def _seen(project: Project, people: list[dict[str, Any]]) -> dict[int, int]:
    """Seconds by the key of the person; ValidationError for a code that nobody has, or that is there twice."""
    seen = seen_seconds(project, " ".join(f"{one['person']}:{one['seconds']}" for one in people), only="")
    if len(seen) != len(people):
        raise ValidationError({"people": _("Name members of the project, each once.")})
    return seen


def _form(sent: dict[str, Any]) -> PaidForm:
    form = PaidForm(
        {"paid_on": sent["paid_on"], "note": sent.get("note", ""), "seen": "sent", "key": sent["settlement"]}
    )
    checked_form(form)
    return form


def _told(rows: list[Payment]) -> Answer:
    found = Payment.objects.filter(pk__in=[row.pk for row in rows]).select_related("annotator").order_by("pk")
    return Answer(told.PaymentsSerializer({"results": found}).data)
