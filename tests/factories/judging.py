"""What judging rounds and their meetings keep."""

from __future__ import annotations

from annotation import randomness
from annotation.models import (
    AgendaStep,
    Argument,
    Confirmation,
    Consensus,
    Defect,
    Exhibit,
    MeetingMark,
    Proposal,
    Recusal,
    Removal,
)
from tests.factories.base import NOON, RowFactory


class ExhibitFactory(RowFactory):
    """An exhibit of `round` at a `place`, of `item`."""

    class Meta:
        model = Exhibit


class AgendaStepFactory(RowFactory):
    """A step of the chair, `by` them."""

    class Meta:
        model = AgendaStep

    kind = AgendaStep.Kind.PARKED
    at = NOON


class MeetingMarkFactory(RowFactory):
    """What `rater` would mark `exhibit` with now."""

    class Meta:
        model = MeetingMark

    mark = "C"
    at = NOON


class ArgumentFactory(RowFactory):
    """Something that `author` says about `exhibit`."""

    class Meta:
        model = Argument

    text = "It never says so."
    key = randomness.handle()
    at = NOON


class ProposalFactory(RowFactory):
    """A proposal for `exhibit`, `by` the chair."""

    class Meta:
        model = Proposal

    number = 1
    mark = "C"
    at = NOON


class ConfirmationFactory(RowFactory):
    """`rater` confirms `proposal`."""

    class Meta:
        model = Confirmation

    holds = True
    at = NOON


class ConsensusFactory(RowFactory):
    """`proposal` is the consensus about `exhibit`."""

    class Meta:
        model = Consensus

    voters = 3
    at = NOON


class RemovalFactory(RowFactory):
    """A lead removes `rater`."""

    class Meta:
        model = Removal

    reason = "Does not come back."
    at = NOON


class RecusalFactory(RowFactory):
    """`person` has looked at the answers to `item`, which `round` is about."""

    class Meta:
        model = Recusal

    at = NOON


class DefectFactory(RowFactory):
    """`exhibit` can't be judged, `by` a lead."""

    class Meta:
        model = Defect

    why = "It is cut off."
    at = NOON
