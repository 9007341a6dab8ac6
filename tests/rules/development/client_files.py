"""Files that rules of the product leave out."""

from __future__ import annotations

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]
CLIENT = CHECKOUT / "frontend/api/client"
"""A package of its own, for the environments of others: it imports nothing of ours and names only what the API does."""


def is_of_client(path: Path) -> bool:
    """Whether a file belongs to the Python client of the API."""
    return path.is_relative_to(CLIENT)
