"""Two checkouts measured beside each other."""
