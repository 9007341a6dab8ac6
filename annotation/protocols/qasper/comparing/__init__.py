"""What annotations are compared by: with one another, and with references."""
