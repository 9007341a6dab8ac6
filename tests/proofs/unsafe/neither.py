"""Without either layer: what the rig must notice."""

from frontend.settings import *  # noqa: F403
from frontend.settings import INSTALLED_APPS as SHIPPED

INSTALLED_APPS = [*SHIPPED, "tests.proofs.unsafe.apps.Unsafe"]
LEFT_OUT = {"sanitiser", "sandbox"}
