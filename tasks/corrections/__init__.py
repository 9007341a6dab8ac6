"""Correct finished work: re-open it, void it, replace an answer by a second version, or note a change of mind."""

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
from tasks.corrections.voiding import DECIDED, reinstate, void, why_not_void
