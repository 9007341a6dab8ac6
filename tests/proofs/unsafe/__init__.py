"""Wrong builds of the frame, for proofs only: without the sanitizer, without the sandbox, without both.

Each also loads htmx inside the frame, so that anything that would drive it is noticed.
"""
