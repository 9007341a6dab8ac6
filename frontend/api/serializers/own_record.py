"""What a person has done and is owed, and what they can do next."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotation import clock
from frontend.api.paging import CursorPageSerializer, results_serializer
from frontend.api.sent import ParametersSerializer, QuerySerializer
from frontend.api.serializers.work import Output

DAYS, MOST = 14, 92
"""How many days are told unless dates are given, and at most."""


class FinishedQuerySerializer(QuerySerializer):
    """Which finished work."""

    decided = serializers.BooleanField(
        required=False, default=False, help_text="Only that about which an expert has decided."
    )


class OwnAnswerSerializer(Output):
    """An answer of yours that counts. `prompt`: what its turn asked, if that is not what the turn before asked."""

    step = serializers.CharField()
    stage = serializers.CharField()
    title = serializers.CharField()
    prompt = serializers.CharField(allow_blank=True)
    payload = serializers.DictField()


class DecidedAnswerSerializer(Output):
    """Part of the answer that an expert has decided for."""

    title = serializers.CharField()
    html = serializers.CharField(allow_blank=True, help_text="As the page shows it: escaped, without script.")


class DecidedOutcomeSerializer(Output):
    """What an expert has decided, where leads tell the people concerned. `same`: for your answer."""

    same = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    answers = DecidedAnswerSerializer(many=True)


class FinishedSerializer(Output):
    """A piece of work that you have sent."""

    uuid = serializers.UUIDField()
    project = serializers.CharField()
    activity = serializers.CharField()
    title = serializers.CharField()
    asked = serializers.CharField(allow_blank=True)
    finished_at = serializers.DateTimeField()
    answers = OwnAnswerSerializer(many=True)
    outcome = DecidedOutcomeSerializer(allow_null=True)


class FinishedPageSerializer(CursorPageSerializer):
    """A page of them."""

    next = serializers.CharField(allow_null=True)
    results = FinishedSerializer(many=True)


class ProjectPaySerializer(Output):
    """Pay in a project; amounts with their currency, "" for nothing. `owed`: not marked as paid yet."""

    project = serializers.CharField()
    rate = serializers.CharField(allow_blank=True)
    paid = serializers.CharField(allow_blank=True)
    owed = serializers.CharField(allow_blank=True)


class PaidOnceSerializer(Output):
    """A payment that a lead has marked, for work of the days `since` (null: from the beginning) to `until`."""

    project = serializers.CharField()
    amount = serializers.CharField(allow_blank=True)
    paid_on = serializers.DateField()
    since = serializers.DateField(allow_null=True)
    until = serializers.DateField()
    note = serializers.CharField(allow_blank=True)


class OwnPaySerializer(Output):
    """What you are owed, and the latest payments; `more`: whether there are earlier ones."""

    projects = ProjectPaySerializer(many=True)
    payments = PaidOnceSerializer(many=True)
    more = serializers.BooleanField()


class OwnTimeQuerySerializer(ParametersSerializer):
    """Days (UTC), both included: the last 14 unless they are given, and at most 92."""

    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, date]:
        """Both days."""
        today = clock.now().date()
        until = attrs.get("until", today)
        since = attrs.get("since", until - timedelta(days=min(DAYS - 1, until.toordinal() - 1)))
        if not since <= until <= today or (until - since).days >= MOST:
            said = _("Days until today, at most %(most)d.") % {"most": MOST}
            raise serializers.ValidationError({"since": said})
        return {"since": since, "until": until}


class OwnDaySerializer(Output):
    """A day in a project, in seconds. `counts` is what counts as work, `comes_to` its pay ("": no rate is stated)."""

    day = serializers.DateField()
    project = serializers.CharField()
    counts = serializers.FloatField()
    active = serializers.FloatField()
    reading = serializers.FloatField()
    idle = serializers.FloatField()
    amended = serializers.FloatField()
    meeting = serializers.FloatField()
    comes_to = serializers.CharField(allow_blank=True)


OwnTimeSerializer = results_serializer(
    "OwnTimeSerializer", OwnDaySerializer, "The days with any time, the latest first."
)


class OfferSerializer(Output):
    """An activity that is open. `begins_by`: claim, search or lobby; `resume`: you hold some already. Of what is closed
    to you, nothing is counted."""

    project = serializers.CharField()
    activity = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    begins_by = serializers.CharField()
    takes = serializers.CharField(allow_blank=True, help_text="How long it usually takes.")
    pay = serializers.CharField(allow_blank=True)
    left = serializers.IntegerField(help_text="Counted up to a bound.", allow_null=True)
    left_in_words = serializers.CharField(allow_null=True)
    done = serializers.IntegerField(allow_null=True)
    total = serializers.IntegerField(allow_null=True)
    resume = serializers.BooleanField()
    consented = serializers.BooleanField(help_text="If not, accept the consent text in the browser first.")
    closes = serializers.CharField(allow_blank=True, help_text="What doing this closes to you for good.")
    why_not = serializers.CharField(allow_blank=True, help_text="Why you may not do it.")
    why_none = serializers.CharField(allow_blank=True, help_text="Why there is nothing to do.")


OffersSerializer = results_serializer(
    "OffersSerializer", OfferSerializer, "What you can do, what is closed to you last."
)


class GuidelinesQuerySerializer(ParametersSerializer):
    """Which version."""

    of = serializers.UUIDField(required=False, default=None, help_text="Your work: the version when it was claimed.")


class OwnGuidelinesSerializer(Output):
    """A version of the guidelines, in Markdown."""

    number = serializers.IntegerField()
    at = serializers.DateTimeField()
    text = serializers.CharField()


class QuoteQuerySerializer(ParametersSerializer):
    """What to find, at most 2,000 characters."""

    text = serializers.CharField(max_length=2000, trim_whitespace=False)


class QuotePlaceSerializer(Output):
    """Tokens of the box, or code points of the passage with the number `text`; the end is not included."""

    text = serializers.IntegerField(allow_null=True)
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class QuotePlacesSerializer(Output):
    """Where it occurs, 20 places at most."""

    matches = QuotePlaceSerializer(many=True)
