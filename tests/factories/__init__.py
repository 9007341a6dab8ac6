"""The tests' rows: one factory for each kind, and no other place under tests/ writes one.

`XFactory(...)` makes a row as the product does: through the service that writes such rows, where there is one.
`XFactory.insert(...)` and `insert_many` write rows as they are, past the services: for benchmarks that need very many,
and for tests of what the database alone refuses.

What a row refers to is given by the test. Names and numbers come from the columns (a project's seed from its slug, an
item's id from its position) and not from a counter, so that a test makes the same rows whatever ran before it.
"""
