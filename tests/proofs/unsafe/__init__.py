"""Wrong builds of the frame, for proofs only: settings without the sanitiser, without the sandbox, without either.

Each also loads htmx inside the frame, so that what would drive it can be seen to.
"""
