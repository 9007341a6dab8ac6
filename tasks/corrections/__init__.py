"""Correct finished work: re-open it, void it, replace an answer by a second version, or note a change of mind."""

from tasks.corrections.handed_in import DECIDED
from tasks.corrections.reopening import (
    DAYS,
    NOT_REOPENED,
    REOPENED,
    last_reopening,
    reopen,
    reopening_status,
    take_back_reopening,
    unchanged_since_reopening,
    why_not_reopen,
)
from tasks.corrections.second_versions import REASON, RECONSIDERED, may_replace, reconsider, replace
from tasks.corrections.voiding import reinstate, void, why_not_void

__all__ = [
    "DAYS",
    "DECIDED",
    "NOT_REOPENED",
    "REASON",
    "RECONSIDERED",
    "REOPENED",
    "last_reopening",
    "may_replace",
    "reconsider",
    "reinstate",
    "reopen",
    "reopening_status",
    "replace",
    "take_back_reopening",
    "unchanged_since_reopening",
    "void",
    "why_not_reopen",
    "why_not_void",
]
