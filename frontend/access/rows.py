"""Rows of the database, by what an address names."""

from __future__ import annotations

from typing import TypeVar

from annotation.errors import NotFound

Row = TypeVar("Row")


def or_not_found(row: Row | None) -> Row:
    """The row; NotFound if there is none."""
    if row is None:
        raise NotFound
    return row


def key_of(text: str) -> int:
    """The key of a row in an address; 0, which no row has, for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < len(str(2**63)) else 0
