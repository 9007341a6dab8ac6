"""Lobbies, where people wait for a partner."""

from __future__ import annotations

from rest_framework import serializers

from frontend.api.serializers.bodies import BodySerializer
from frontend.api.serializers.work import NothingSerializer, Output


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
