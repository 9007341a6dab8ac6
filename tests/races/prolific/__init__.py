"""Work that is paid on Prolific."""
