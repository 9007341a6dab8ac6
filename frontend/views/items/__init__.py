"""The list of a project's items, and the history of one."""
