"""Without the frame's policy and sandbox: the sanitizer must hold alone."""

from frontend.settings import *  # noqa: F403
from frontend.settings import INSTALLED_APPS as SHIPPED

INSTALLED_APPS = [*SHIPPED, "tests.proofs.unsafe.apps.Unsafe"]
LEFT_OUT = {"sandbox"}
