"""One person reads a text, and marks the words that answer what is asked about it."""
