"""Work, from a queue to a finished task."""
