"""One annotation from its first page to its last answer."""
