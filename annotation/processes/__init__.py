"""Work in forked processes."""
