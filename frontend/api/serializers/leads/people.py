"""People of a project by their worker codes, their pay, and invitations. No name and no address is told."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.models import Payment, Role, User
from frontend.api.paging import page_serializer, results_serializer
from frontend.api.sent import ParametersSerializer, SentSerializer
from frontend.leads.pay import PayRow, PayTable
from frontend.leads.person import PersonRole
from qualification.models import Invite, InviteState


class RoleSerializer(serializers.Serializer[PersonRole]):
    """A role. It `ends` once they have finished what they hold, or `ended` at some time."""

    role = serializers.ChoiceField(choices=Role.choices)
    since = serializers.DateTimeField()
    ends = serializers.BooleanField()
    ended = serializers.DateTimeField(allow_null=True)


class PersonSerializer(serializers.Serializer[User]):
    """A member, with the roles that they have or had and the pieces of work that they have finished."""

    person = serializers.CharField(source="worker_code")
    roles = RoleSerializer(many=True)
    finished = serializers.IntegerField()


PersonPageSerializer = page_serializer("PersonPageSerializer", PersonSerializer, "A page of members.")


class PersonFiguresSerializer(serializers.Serializer[dict[str, Any]]):
    """What somebody did in the project, in pieces of work."""

    finished = serializers.IntegerField()
    at_work = serializers.IntegerField(help_text="That they hold now.")
    skipped = serializers.IntegerField()
    excluded = serializers.IntegerField()
    reported = serializers.IntegerField(help_text="Items that they reported.")
    seconds = serializers.FloatField(help_text="That count, without amendments.")
    last = serializers.DateTimeField(allow_null=True, help_text="When they were last given work.")


class WholePersonSerializer(serializers.Serializer[object]):
    """Somebody who is or was a member."""

    person = serializers.CharField()
    roles = RoleSerializer(many=True)
    figures = PersonFiguresSerializer()


class EndSerializer(SentSerializer):
    """Which membership ends: at once, so that open work is taken away, or once it is finished."""

    role = serializers.ChoiceField(choices=Role.choices)
    finish = serializers.BooleanField(default=True, help_text="They may finish what they hold, and get no new work.")
    reason = serializers.CharField(max_length=1000, allow_blank=True)


class InviteSerializer(serializers.ModelSerializer[Invite]):
    """An invitation. For whom it is, and its link, are not told."""

    state = serializers.ChoiceField(source="told_state", choices=InviteState.choices)
    by = serializers.CharField(source="by.worker_code", help_text="A worker code.")
    used_by = serializers.CharField(source="used_by.worker_code", default=None, allow_null=True)

    class Meta:
        model = Invite
        fields = ("id", "role", "state", "by", "made_at", "expires_at", "used_at", "used_by")
        read_only_fields = fields


InvitePageSerializer = page_serializer("InvitePageSerializer", InviteSerializer, "A page of invitations.")


class PeriodQuerySerializer(ParametersSerializer):
    """Days, both included; by default from the day after the last one that was paid, until today."""

    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)


class PeriodSerializer(serializers.Serializer[object]):
    """Days, both included; `since` is null from the beginning."""

    since = serializers.DateField(allow_null=True)
    until = serializers.DateField()


class PaidSerializer(serializers.Serializer[object]):
    """A payment that stands."""

    amount = serializers.DecimalField(max_digits=12, decimal_places=2)
    currency = serializers.CharField(help_text="Of the rate at that time.")
    on = serializers.DateField()
    note = serializers.CharField()
    settlement = serializers.UUIDField(source="key")


class PayRowSerializer(serializers.Serializer[PayRow]):
    """What somebody did in the period, what it brings, and what they are owed at its end.

    `seconds` is what the amount owed is about: it is sent back when that is marked as paid. Amounts are null where the
    rate is no amount an hour.
    """

    person = serializers.CharField(source="code")
    finished = serializers.IntegerField(source="did.finished")
    excluded = serializers.IntegerField(source="did.excluded")
    accepted = serializers.IntegerField()
    worked_seconds = serializers.FloatField(source="did.counted")
    amended_seconds = serializers.FloatField(source="did.amended")
    waited_seconds = serializers.FloatField(source="did.waited")
    paid_seconds = serializers.FloatField(source="did.paid", help_text="For which pay is due, amendments included.")
    earned = serializers.DecimalField(max_digits=12, decimal_places=2, allow_null=True)
    seconds = serializers.IntegerField()
    owed = serializers.DecimalField(max_digits=12, decimal_places=2, allow_null=True)
    paid = PaidSerializer(many=True)


class PayTableSerializer(serializers.Serializer[PayTable]):
    """Everybody who did anything in the period, is owed something, or was paid for it."""

    period = PeriodSerializer()
    rate = serializers.CharField()
    currency = serializers.CharField(help_text='"" if no amount can be calculated.')
    owed = serializers.DecimalField(source="total", max_digits=12, decimal_places=2)
    results = PayRowSerializer(source="rows", many=True)


class OwedSerializer(SentSerializer):
    """Seconds of somebody’s work, as the pay table told them."""

    person = serializers.SlugField(max_length=20)
    seconds = serializers.IntegerField(min_value=1, max_value=10**9 - 1)


class MarkPaidSerializer(SentSerializer):
    """What was paid: for which days, on which day, and to whom. The same `settlement` marks it once."""

    since = serializers.DateField(required=False, allow_null=True)
    until = serializers.DateField()
    paid_on = serializers.DateField()
    note = serializers.CharField(required=False, allow_blank=True, max_length=Payment.LONGEST_NOTE)
    settlement = serializers.UUIDField(help_text="A new UUID of yours, by which it can be undone.")
    people = OwedSerializer(many=True, allow_empty=False)


class UndoPaySerializer(SentSerializer):
    """What was marked together, or of it what concerns one person."""

    settlement = serializers.UUIDField()
    person = serializers.SlugField(required=False, max_length=20)


class PaymentSerializer(serializers.ModelSerializer[Payment]):
    """A payment that was written down; below zero if it undoes another one."""

    person = serializers.CharField(source="annotator.worker_code")

    class Meta:
        model = Payment
        fields = ("person", "seconds", "amount", "currency", "paid_on", "note", "settlement")
        read_only_fields = fields


PaymentsSerializer = results_serializer("PaymentsSerializer", PaymentSerializer, "Payments that were written down.")
