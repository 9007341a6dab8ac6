"""Settings of the wrong builds; a file in the data folder says which layer the one that is served is without."""

from frontend.settings import *  # noqa: F403
from frontend.settings import INSTALLED_APPS as SHIPPED

INSTALLED_APPS = [*SHIPPED, "tests.proofs.unsafe.apps.Unsafe"]
