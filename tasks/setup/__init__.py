"""What leads set up in a project: its queues, how many people annotate its items, its splits."""
