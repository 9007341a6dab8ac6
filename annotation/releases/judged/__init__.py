"""The judging rounds of a release: a file for each, and what its data card says of them."""
