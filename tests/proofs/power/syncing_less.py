"""A wrong build, for a control: settings under which SQLite does not wait for the disk at a commit."""

from frontend.settings import *  # noqa: F403
from frontend.settings import DATABASES as RIGHT

LESS = {"init_command": RIGHT["default"]["OPTIONS"]["init_command"].replace("FULL", "NORMAL")}
DATABASES = {name: found | {"OPTIONS": found["OPTIONS"] | LESS} for name, found in RIGHT.items()}
