"""Trigger conditions of judging rounds: what is sealed stays as it is, marks are final once locked, and an ended round
takes nothing more."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.models import (
    Confirmation,
    Consensus,
    Defect,
    Exhibit,
    JudgingRound,
    Rater,
    Removal,
    Response,
    RoundState,
)
from annotation.models.meeting import OF_EXHIBITS

ENDED = f"('{RoundState.CLOSED}', '{RoundState.STOPPED}')"
SEALED = (
    f"EXISTS (SELECT 1 FROM {JudgingRound._meta.db_table} g"  # noqa: S608 # our own names
    f" WHERE g.id = NEW.round_id AND g.state <> '{RoundState.DRAFT}')"
)
"""Whether a new exhibit would be one more of what was sealed."""
ROUND_OF = "JOIN annotation_judginground g ON g.id ="
NO_LONGER_JUDGED = (
    "EXISTS (SELECT 1 FROM annotation_annotation a JOIN annotation_exhibit e ON e.id = a.exhibit_id"
    " JOIN annotation_judginground g ON g.id = e.round_id WHERE a.id = NEW.annotation_id AND (g.state <> 'sealed'"
    " OR EXISTS (SELECT 1 FROM annotation_rater r WHERE r.round_id = e.round_id AND r.person_id = a.author_id"
    " AND r.locked_at IS NOT NULL)"
    " OR EXISTS (SELECT 1 FROM annotation_recusal s WHERE s.round_id = e.round_id AND s.person_id = a.author_id"
    " AND s.item_id = e.item_id)"
    " OR EXISTS (SELECT 1 FROM annotation_removal m JOIN annotation_rater r ON r.id = m.rater_id"
    " WHERE r.round_id = e.round_id AND r.person_id = a.author_id)"
    " OR EXISTS (SELECT 1 FROM annotation_defect d WHERE d.exhibit_id = e.id)))"
)
"""Whether a new response is a judgement of a rater who has locked their round or looked at the item since the seal, was
replaced, of a defect, or of a round past its judgements."""
MARKED = (
    "EXISTS (SELECT 1 FROM annotation_annotation a JOIN annotation_response s ON s.annotation_id = a.id"
    " WHERE a.exhibit_id = NEW.exhibit_id)"
)
"""Whether a new defect has a mark."""
UNCONFIRMED = (
    "EXISTS (SELECT 1 FROM annotation_rater r JOIN annotation_exhibit e ON e.round_id = r.round_id"
    " WHERE e.id = NEW.exhibit_id AND r.locked_at IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM annotation_removal m WHERE m.rater_id = r.id)"
    " AND EXISTS (SELECT 1 FROM annotation_annotation a JOIN annotation_response s ON s.annotation_id = a.id"
    " WHERE a.exhibit_id = e.id AND a.author_id = r.person_id)"
    " AND NOT EXISTS (SELECT 1 FROM annotation_confirmation c WHERE c.rater_id = r.id"
    " AND c.proposal_id = NEW.proposal_id AND c.holds AND NOT EXISTS (SELECT 1 FROM annotation_confirmation d"
    " WHERE d.rater_id = c.rater_id AND d.proposal_id = c.proposal_id AND d.id > c.id)))"
)
"""Whether a new consensus lacks the confirmation of a voter: of a rater with a mark of the exhibit, not removed."""


def conditions() -> Iterator[tuple[str, str, str, str]]:
    """(label, table, SQL condition that refuses the event, event)."""
    yield "late_judgements", Response._meta.db_table, NO_LONGER_JUDGED, "INSERT"
    yield "sealed_exhibits", Exhibit._meta.db_table, SEALED, "INSERT"
    yield "marked_defect", Defect._meta.db_table, MARKED, "INSERT"
    yield "ended_round", JudgingRound._meta.db_table, f"OLD.state IN {ENDED}", "UPDATE"
    for model in OF_EXHIBITS:
        of_exhibit = f"{Exhibit._meta.db_table} e {ROUND_OF} e.round_id WHERE e.id = NEW.exhibit_id"
        yield f"{model._meta.db_table}_at_meeting", model._meta.db_table, _not_meeting(of_exhibit), "INSERT"
    of_proposal = (
        f"annotation_proposal p JOIN annotation_exhibit e ON e.id = p.exhibit_id {ROUND_OF} e.round_id"
        " WHERE p.id = NEW.proposal_id"
    )
    yield "confirmation_at_meeting", Confirmation._meta.db_table, _not_meeting(of_proposal), "INSERT"
    of_rater = f"{Rater._meta.db_table} r {ROUND_OF} r.round_id WHERE r.id = NEW.rater_id"
    yield "removal_from_round", Removal._meta.db_table, _over(of_rater), "INSERT"
    yield "unconfirmed_consensus", Consensus._meta.db_table, UNCONFIRMED, "INSERT"


def _not_meeting(rows: str) -> str:
    return f"EXISTS (SELECT 1 FROM {rows} AND g.state <> '{RoundState.MEETING}')"  # noqa: S608 # our own names


def _over(rows: str) -> str:
    """Whether the round is neither judged nor at its meeting."""
    return f"EXISTS (SELECT 1 FROM {rows} AND g.state NOT IN ('{RoundState.SEALED}', '{RoundState.MEETING}'))"  # noqa: S608 # our own names
