"""A wrong build, for a control: settings under which readiness does not look at the disk."""

from frontend.settings import *  # noqa: F403
from frontend.settings import INSTALLED_APPS as SHIPPED

INSTALLED_APPS = [*SHIPPED, "tests.proofs.power.apps.NotLooking"]
