"""Call the API of a Goldfinch site."""

from goldfinch_client.calls import Refused
from goldfinch_client.projects import LedProject
from goldfinch_client.site import Goldfinch
from goldfinch_client.work import HeldWork

__all__ = ["Goldfinch", "HeldWork", "LedProject", "Refused"]
