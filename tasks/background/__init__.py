"""Work that is done in the background, beside requests."""
