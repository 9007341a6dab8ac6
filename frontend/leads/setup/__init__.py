"""What leads see when they set up a project: queues, settings, splits, a new project."""
