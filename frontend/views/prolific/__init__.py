"""Pages about a project's study on Prolific."""
