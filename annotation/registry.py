"""The registry of protocols: generic code gets a protocol by its key, and the form of a stage."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from annotation.protocol import ACTIVITIES_OF_ALL, Protocol
from annotation.values.forms import StageForm
from annotation.values.records import Step

RESERVED = frozenset(
    {
        "now",
        "partner",
        "flag",
        "chat",
        "more",
        "end",
        "another",
        "renew",
        "take",
        "skip",
        "unskip",
        "return",
        "report",
        "explain",
    }
)
"""Route names under /work/<assignment>/, which no stage may have as its key."""
_PROTOCOLS: dict[str, Protocol] = {}
_OF_ALL: dict[str, Protocol] = {}
"""By activity, the protocols whose activities belong to the items of every protocol."""
_FORMS: dict[str, Mapping[str, Any]] = {}


def register(protocol: Protocol, *, forms: Mapping[str, Any], of_all: bool = False) -> None:
    """Register a protocol; `forms` maps each stage to the Django form that turns a POST into a payload. `of_all`: no
    project is made with it, but its activities belong to the items of every protocol.

    ValueError for a stage whose key can't be part of a URL, or that has no form derived from StageForm, and for an
    activity to be done `alone` that isn't made for one person and for training only.
    """
    for each in (activity for activity in protocol.activities if activity.alone):
        alone = next((activity for activity in protocol.activities if activity.key == each.alone), None)
        if alone is None or len(alone.seats) > 1 or not alone.train_only:
            raise ValueError(f"{each.alone!r} of {protocol.key} is no activity for one person on training items only.")
    for stage in (stage for activity in protocol.activities for stage in activity.stages):
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", stage.key) or stage.key in RESERVED:
            raise ValueError(
                f"The stage {stage.key!r} of {protocol.key} needs another key: letters, digits and underscores, "
                f"and none of {', '.join(sorted(RESERVED))}."
            )
        if stage.key not in forms:
            raise ValueError(f"The stage {stage.key!r} of {protocol.key} has no form.")
        if not issubclass(forms[stage.key], StageForm):
            raise ValueError(
                f"The form of the stage {stage.key!r} of {protocol.key} is no annotation.values.forms.StageForm."
            )
    if of_all:
        _OF_ALL.update(dict.fromkeys((activity.key for activity in protocol.activities), protocol))
        ACTIVITIES_OF_ALL.update({activity.key: activity for activity in protocol.activities})
    else:
        _PROTOCOLS[protocol.key] = protocol
    _FORMS[protocol.key] = forms


def get(key: str) -> Protocol:
    """The protocol with this key, or KeyError."""
    return _PROTOCOLS[key]


def protocol_of_activity(key: str, activity: str) -> Protocol:
    """The protocol by which items of the protocol `key` are worked on in an activity: itself, or that of judging."""
    return _OF_ALL.get(activity) or get(key)


def all_protocols() -> tuple[Protocol, ...]:
    """All registered protocols, by key."""
    return tuple(_PROTOCOLS[key] for key in sorted(_PROTOCOLS))


def form_of(key: str, step: str) -> Any:
    """The Django form class of a step (given by its address): that of its stage."""
    return _FORMS[key][Step.at(step).stage]
