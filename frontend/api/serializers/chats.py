"""What people write to each other beside the work: the side chat of a pair, and messages with the leads."""

from __future__ import annotations

from rest_framework import serializers

from frontend.api.sent import ParametersSerializer
from frontend.api.serializers.bodies import BodySerializer
from frontend.api.serializers.work import Output


class ChatQuerySerializer(ParametersSerializer):
    """Which messages of a chat."""

    after = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=10**6, help_text="Only those after this number."
    )


class ChatLineSerializer(Output):
    """A message. `who`: me, partner or lead; `key`: of your own, by which you know it again."""

    number = serializers.IntegerField()
    who = serializers.CharField()
    at = serializers.DateTimeField()
    text = serializers.CharField()
    to_lead = serializers.BooleanField()
    key = serializers.UUIDField(allow_null=True)


class ChatSerializer(Output):
    """Messages in order. `latest`: what to send as `after` next time."""

    latest = serializers.IntegerField()
    results = ChatLineSerializer(many=True)


class ChatMessageSerializer(BodySerializer):
    """A message of at most 500 characters. `to_lead`: a lead is asked, whose answer both see."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True)
    to_lead = serializers.BooleanField(required=False, default=False)
    key = serializers.UUIDField(required=False, help_text="Instead of the header `Idempotency-Key`.")
    after = serializers.IntegerField(required=False, default=0, min_value=0, max_value=10**6)


class LetterSerializer(Output):
    """A message with the leads, who are not named. `about`: what the work asked that it is about, if any."""

    number = serializers.IntegerField()
    from_lead = serializers.BooleanField()
    text = serializers.CharField()
    at = serializers.DateTimeField()
    about = serializers.CharField(allow_blank=True)


class LettersSerializer(Output):
    """All of them, the oldest first. `unread`: the number of the last one that you have not read, or 0."""

    unread = serializers.IntegerField()
    results = LetterSerializer(many=True)


class WriteLetterSerializer(BodySerializer):
    """A message of at most 2,000 characters to the leads. `about`: the uuid of your work that it is about."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True)
    about = serializers.UUIDField(required=False, default=None, allow_null=True)
    key = serializers.UUIDField(required=False, help_text="Instead of the header `Idempotency-Key`.")


class ReadLettersSerializer(BodySerializer):
    """Up to which number you have read them."""

    upto = serializers.IntegerField(min_value=0, max_value=10**6)
