"""Annotations that disagree: which items are the worst, and what experts decide about them."""
