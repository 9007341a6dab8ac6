"""What people say and wait for beside the work: lobbies and their partners, side chats, and messages with the leads."""

from __future__ import annotations

from rest_framework import serializers

from frontend.api.sent import ParametersSerializer
from frontend.api.serializers.bodies import BodySerializer
from frontend.api.serializers.work import NothingSerializer, Output


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


class LobbyPartSerializer(Output):
    """A seat that one can say one would rather have."""

    seat = serializers.CharField()
    title = serializers.CharField()
    preferred = serializers.BooleanField()


class LobbySerializer(Output):
    """A lobby as it is for you. `state`: waiting, offered (a partner was found: say that you are here), missed, seated
    (`work` has begun) or outside.
    """

    state = serializers.CharField()
    work = serializers.UUIDField(allow_null=True)
    ended = serializers.CharField(allow_blank=True, help_text="What ended your last visit, unless you left.")
    waited_seconds = serializers.IntegerField()
    asked = serializers.BooleanField(help_text="Whether you are still there.")
    answer_within = serializers.IntegerField(allow_null=True, help_text="Seconds in which to say that you are here.")
    confirmed = serializers.BooleanField()
    missed = serializers.BooleanField()
    people_here = serializers.IntegerField()
    people_working = serializers.IntegerField()
    people_before = serializers.IntegerField()
    may_go_alone = serializers.BooleanField()
    parts = LobbyPartSerializer(many=True)
    paused_until = serializers.DateTimeField(allow_null=True)
    why_none = NothingSerializer(allow_null=True)


class PreferSerializer(BodySerializer):
    """`part`: the seat that you would rather have; "" for either."""

    part = serializers.CharField(allow_blank=True, max_length=40)


class EnterSerializer(BodySerializer):
    """`part`: the seat that you would rather have; "" for either."""

    part = serializers.CharField(required=False, default=None, allow_null=True, allow_blank=True, max_length=40)
